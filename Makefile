# Builds, runs, tests and installs the URL shortener. `make help` lists what there is.

BUILD ?= build
CC ?= cc
PKG_CONFIG ?= pkg-config
PACKAGES = json-c libpq icu-uc libcrypto

WARNINGS = -Wall -Wextra -Wconversion -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wformat=2 -Werror
OPTIMISATION ?= -O2 -g
HARDENING ?= -fPIE -D_FORTIFY_SOURCE=2 -fstack-protector-strong -fstack-clash-protection -fcf-protection
HARDENING_LINK ?= -pie -Wl,-z,relro -Wl,-z,now -Wl,-z,noexecstack
SANITIZE ?=
VERSION = 0.1.0

CFLAGS_ALL = -std=c11 -D_GNU_SOURCE -DSHORTEN_VERSION='"$(VERSION)"' -Ifcgi $(WARNINGS) $(OPTIMISATION) $(HARDENING) \
	$(SANITIZE) $(shell $(PKG_CONFIG) --cflags $(PACKAGES) 2>/dev/null) $(CFLAGS)
LDFLAGS_ALL = $(HARDENING_LINK) $(SANITIZE) -Wl,--as-needed $(LDFLAGS)
LDLIBS = -lfcgi $(shell $(PKG_CONFIG) --libs $(PACKAGES) 2>/dev/null)

MODULES = $(filter-out main,$(notdir $(basename $(wildcard fcgi/*.c))))
OBJECTS = $(MODULES:%=$(BUILD)/%.o)
CTL_OBJECTS = $(patsubst fcgi/%.c,$(BUILD)/%.o,$(wildcard fcgi/ctl/*.c))
# What shortenctl shares with the responder: the rules of links.
CTL_MODULES = config digest id link_rules log percent rfc3339 url url_host utf8
PAGES = $(wildcard fcgi/www/*)
UNIT_TESTS = $(patsubst tests/%.c,$(BUILD)/%,$(wildcard tests/unit/*.c tests/sql/*.c))

.PHONY: all
all: $(BUILD)/shorten.fcgi $(BUILD)/shortenctl

.PHONY: help
help:
	@echo 'make run      install what is missing, build, serve on http://127.0.0.1:8080/ (PORT= for another)'
	@echo 'make test     install what is missing, build, run every test'
	@echo 'make          build build/shorten.fcgi and build/shortenctl'
	@echo 'make lint     gcc, clang, cppcheck, clang-tidy and shellcheck, warnings as errors'
	@echo 'make bench    ours beside Fastify, with tables and charts: about 10 minutes (N= requests a run)'
	@echo 'make bench-growth  how it grows with links, responders, connections: a quarter of an hour'
	@echo 'make install  into $$(DESTDIR)$$(PREFIX), by default /usr/local'
	@echo 'make clean    remove build/'

# The commands are long and all alike: `make V=1` shows them.
V ?=
QUIET = $(if $(V),,@echo '$(1)' &&)

$(BUILD)/shorten.fcgi: $(BUILD)/main.o $(OBJECTS) $(BUILD)/www.o
	$(call QUIET,link $@) $(CC) $(LDFLAGS_ALL) -o $@ $^ $(LDLIBS)

$(BUILD)/shortenctl: $(CTL_OBJECTS) $(CTL_MODULES:%=$(BUILD)/%.o)
	$(call QUIET,link $@) $(CC) $(LDFLAGS_ALL) -o $@ $^ $(LDLIBS)

$(BUILD)/%.o: fcgi/%.c | $(BUILD) $(BUILD)/ctl
	$(call QUIET,compile $<) $(CC) $(CFLAGS_ALL) -MMD -MP -c -o $@ $<

# The pages become read-only data of the program; pages.c names their symbols.
$(BUILD)/www.o: $(PAGES) | $(BUILD)
	$(call QUIET,embed $(PAGES)) $(LD) -r -b binary -z noexecstack -o $@ $(PAGES)
	$(if $(V),,@)objcopy --rename-section .data=.rodata,alloc,load,readonly,data,contents $@

$(BUILD) $(BUILD)/ctl $(BUILD)/unit $(BUILD)/sql:
	mkdir -p $@

# A unit test names the modules it links in its line "modules: …", so that none grows a hidden dependency.
# The pages come along: they need no other module.
$(UNIT_TESTS): $(BUILD)/%: tests/%.c $(wildcard tests/lib/*.h) $(OBJECTS) $(CTL_OBJECTS) $(BUILD)/www.o | $(BUILD)/unit $(BUILD)/sql
	$(call QUIET,compile $<) $(CC) $(CFLAGS_ALL) -Itests/lib $(LDFLAGS_ALL) -o $@ $< \
		$$(sed -n 's/.*modules: *\([a-z0-9_/ ]*\).*/\1/p' $< | tr ' ' '\n' | sed '/./!d;s|.*|$(BUILD)/&.o|') $(BUILD)/www.o $(LDLIBS)

.PHONY: unit-tests
unit-tests: $(UNIT_TESTS)

.PHONY: test
test:
	tests/run

# All that is broken on purpose, and for long: about an hour.
.PHONY: test-faults test-memcheck soak
test-faults:
	tests/faults/run
	$(MAKE) --no-print-directory test-memcheck soak fuzz

test-memcheck:
	tests/memory/memcheck

soak:
	tests/memory/soak

# For T seconds each; FUZZ names some of them.
.PHONY: fuzz
T ?= 60
fuzz:
	T=$(T) tests/fuzz/run $(FUZZ)

C_FILES = $(wildcard fcgi/*.c fcgi/ctl/*.c tests/unit/*.c tests/sql/*.c tests/fuzz/*.c tests/memory/*.c)
LINT_FLAGS = -D_GNU_SOURCE -DSHORTEN_VERSION='"lint"' -Ifcgi -Itests/lib \
	$(shell $(PKG_CONFIG) --cflags $(PACKAGES) 2>/dev/null)
SHELL_FILES = $(shell grep -rlE '^\#!/bin/(ba)?sh' --exclude-dir=results conf sql tests .ci) $(wildcard tests/lib/*.sh tests/bench/*.sh)

# Both compilers, as each warns of what the other does not.
.PHONY: lint lint-gcc lint-clang lint-cppcheck lint-clang-tidy lint-shellcheck
lint:
	@conf/install-packages test
	@$(MAKE) --no-print-directory -j"$$(nproc)" -O lint-clang-tidy lint-gcc lint-clang lint-cppcheck lint-shellcheck

lint-gcc:
	for file in $(C_FILES); do gcc -std=c11 $(LINT_FLAGS) $(WARNINGS) -O2 -c -o /dev/null "$$file" || exit 1; done

lint-clang:
	clang -std=c11 $(LINT_FLAGS) $(WARNINGS) -fsyntax-only $(C_FILES)

lint-cppcheck:
	cppcheck --quiet --enable=warning,performance,portability,style --inline-suppr --error-exitcode=1 \
		--std=c11 --suppress=missingIncludeSystem $(LINT_FLAGS) fcgi

# What it says besides findings, such as "12 warnings suppressed", goes to standard error.
lint-clang-tidy: | $(BUILD)
	printf '%s\n' $(C_FILES) | xargs -P "$$(nproc)" -I FILE clang-tidy --quiet FILE -- -std=c11 $(LINT_FLAGS) \
		2>$(BUILD)/clang-tidy.log || { cat $(BUILD)/clang-tidy.log; exit 1; }

lint-shellcheck:
	shellcheck -x $(SHELL_FILES)

.PHONY: bench bench-growth
bench:
	tests/bench/run

bench-growth:
	tests/bench/growth

# On a fresh machine pkg-config comes with the packages: only a make that starts afterwards can use it.
.PHONY: run
run:
	@conf/install-packages run
	@$(MAKE) --no-print-directory -q all || $(MAKE) --no-print-directory all
	@conf/run

PREFIX ?= /usr/local
DESTDIR ?=
SHARE = $(DESTDIR)$(PREFIX)/share/shorten

.PHONY: install
install: all
	install -d '$(DESTDIR)$(PREFIX)/bin' '$(SHARE)/conf' '$(SHARE)/sql'
	install -m 0755 $(BUILD)/shorten.fcgi $(BUILD)/shortenctl '$(DESTDIR)$(PREFIX)/bin/'
	install -m 0644 sql/*.sql '$(SHARE)/sql/'
	install -m 0755 sql/migrate '$(SHARE)/sql/'
	install -m 0644 conf/*.conf conf/*.service conf/*.socket '$(SHARE)/conf/'
	install -m 0755 conf/spawn-fcgi conf/multiwatch conf/postgres '$(SHARE)/conf/'
	sed -i 's|/usr/local/|$(PREFIX)/|' '$(SHARE)'/conf/*.conf '$(SHARE)'/conf/*.service '$(SHARE)/conf/spawn-fcgi' '$(SHARE)/conf/multiwatch'

.PHONY: clean
clean:
	rm -rf $(BUILD)

-include $(wildcard $(BUILD)/*.d $(BUILD)/ctl/*.d)
