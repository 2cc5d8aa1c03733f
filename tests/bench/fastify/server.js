// The peer of shorten.fcgi: the same service as it is written for Node.js, for tests/bench to measure beside ours.
// The environment must set PORT, WORKERS (1: one process, without cluster), DATABASE_SOCKET (the folder of
// PostgreSQL's Unix socket), DATABASE_NAME, DATABASE_USER and BASE_URL. When every worker accepts
// connections, it prints "ready".
import cluster from 'node:cluster'
import Fastify from 'fastify'
import { nanoid } from 'nanoid'
import { DataTypes, Sequelize, literal } from 'sequelize'

const POOL_SIZE = 10
const NOW = literal('now()')

// What Sequelize may leave out, as the schema of the request has checked the values.
const LEAN = { hooks: false, raw: true, validate: false }

const MISSING = "Parameter 'srcUrl' is missing"
const NO_URL = "Parameter 'srcUrl' must start with http:// or https://"
const PROBLEMS = { maxLength: "Parameter 'srcUrl' must not be more than 250 characters", pattern: NO_URL }

const SHORTEN_BODY = {
	type: 'object',
	required: ['srcUrl'],
	properties: { srcUrl: { type: 'string', minLength: 1, maxLength: 250, pattern: '^[Hh][Tt][Tt][Pp][Ss]?://' } },
}
const LINK = {
	type: 'object',
	properties: { srcUrl: { type: 'string' }, shortenedUrl: { type: 'string' } },
}
const PROBLEM = { type: 'object', properties: { errMsg: { type: 'string' } } }

function readSettings() {
	const names = ['PORT', 'WORKERS', 'DATABASE_SOCKET', 'DATABASE_NAME', 'DATABASE_USER', 'BASE_URL']
	const missing = names.filter((name) => !process.env[name])
	if (missing.length > 0)
		throw new Error(`the environment must set ${missing.join(', ')}`)
	return { ...process.env, PORT: Number(process.env.PORT), WORKERS: Number(process.env.WORKERS) }
}

function connect({ DATABASE_NAME, DATABASE_USER, DATABASE_SOCKET }) {
	return new Sequelize(DATABASE_NAME, DATABASE_USER, null, {
		dialect: 'postgres',
		host: DATABASE_SOCKET,
		logging: false,
		pool: { max: POOL_SIZE, min: POOL_SIZE },
	})
}

// The pool opens its connections only when they are asked for, so all are asked for at once.
function fillPool(sequelize) {
	return Promise.all(Array.from({ length: POOL_SIZE }, () => sequelize.authenticate()))
}

function defineLink(sequelize) {
	return sequelize.define('Link', {
		id: { type: DataTypes.TEXT, primaryKey: true },
		srcUrl: { type: DataTypes.TEXT, field: 'srcurl' },
		created: { type: DataTypes.DATE },
		lastAccessed: { type: DataTypes.DATE, field: 'lastaccessed' },
		visits: { type: DataTypes.BIGINT },
	}, { tableName: 'shortenedurls', timestamps: false })
}

// The database's now() is cheaper than two dates that Sequelize has to format.
async function createLink(Link, srcUrl) {
	const id = nanoid(10)
	await Link.create({ id, srcUrl, created: NOW, lastAccessed: NOW }, { ...LEAN, returning: false })
	return id
}

// One statement finds the link and counts the visit: half the work of a look-up followed by an update.
async function visitLink(Link, id) {
	const values = { visits: literal('visits + 1'), lastAccessed: NOW }
	const [, links] = await Link.update(values, { ...LEAN, where: { id }, returning: ['srcurl'] })
	return links[0]
}

function refuse(reply, status, errMsg) {
	reply.code(status)
	return { errMsg }
}

function formatProblem([problem]) {
	return new Error(PROBLEMS[problem.keyword] ?? MISSING)
}

function answerError(error, request, reply) {
	const status = error.statusCode ?? 500
	if (status < 500)
		return reply.code(status).send({ errMsg: error.message })
	process.stderr.write(`server.js: ${error.message}\n`)
	return reply.code(status).send({ errMsg: 'Failed to shorten' })
}

function addRoutes(app, Link, baseUrl) {
	const response = { 200: LINK, '4xx': PROBLEM, '5xx': PROBLEM }
	app.post('/shorten', { schema: { body: SHORTEN_BODY, response } }, async (request, reply) => {
		const { srcUrl } = request.body
		if (!URL.canParse(srcUrl))
			return refuse(reply, 400, NO_URL)
		return { srcUrl, shortenedUrl: baseUrl + await createLink(Link, srcUrl) }
	})
	app.get('/hello', (request, reply) => {
		reply.send('Hello World!')
	})
	app.get('/:id', { schema: { response: { '4xx': PROBLEM, '5xx': PROBLEM } } }, async (request, reply) => {
		const link = await visitLink(Link, request.params.id)
		if (!link)
			return refuse(reply, 404, 'There is no such link')
		return reply.redirect(link.srcUrl)
	})
}

// Connections that are kept open would otherwise hold up the end.
function makeApp(sequelize, baseUrl) {
	const app = Fastify({ logger: false, forceCloseConnections: true, schemaErrorFormatter: formatProblem })
	app.setErrorHandler(answerError)
	app.setNotFoundHandler((request, reply) => refuse(reply, 404, 'There is no such path'))
	app.addHook('onClose', () => sequelize.close())
	addRoutes(app, defineLink(sequelize), baseUrl)
	return app
}

// Not once(): a second signal, as when a process group is told to end, must change nothing.
function onSignal(stop) {
	process.on('SIGINT', stop)
	process.on('SIGTERM', stop)
}

async function serve(settings) {
	const sequelize = connect(settings)
	const app = makeApp(sequelize, settings.BASE_URL)
	await fillPool(sequelize)
	await app.listen({ host: '127.0.0.1', port: settings.PORT, backlog: 4096 })
	onSignal(() => app.close().finally(() => process.exit(0)))
}

function sayReady() {
	process.stdout.write('ready\n')
}

// A worker that ends with status 0 was told to. Workers whose primary is gone end by themselves.
function startWorkers(count) {
	let stopping = false
	let listening = 0
	cluster.on('listening', () => ++listening === count && sayReady())
	cluster.on('message', (worker, problem) => fail(new Error(problem)))
	cluster.on('exit', (worker, status) => {
		if (status !== 0 && !stopping)
			fail(new Error('a worker has ended'))
		if (Object.keys(cluster.workers).length === 0)
			process.exit(0)
	})
	onSignal(() => {
		stopping = true
		Object.values(cluster.workers).forEach((worker) => worker.process.kill('SIGTERM'))
	})
	for (let i = 0; i < count; i++)
		cluster.fork()
}

// All workers fail alike, and the primary ends everything at the first one's message: one line in all.
function fail(error) {
	if (cluster.isWorker)
		return process.send(error.message, () => process.exit(1))
	process.stderr.write(`server.js: ${error.message}\n`)
	Object.values(cluster.workers).forEach((worker) => worker.process.kill('SIGKILL'))
	process.exit(1)
}

async function main() {
	const settings = readSettings()
	if (settings.WORKERS > 1 && cluster.isPrimary)
		return startWorkers(settings.WORKERS)
	await serve(settings)
	if (cluster.isPrimary)
		sayReady()
}

main().catch(fail)
