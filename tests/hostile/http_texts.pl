# Texts that mean something to SQL, HTML, HTTP, printf, a template or a shell: bytes of UTF-8. What is markup bears the
# word hostile.
use strict;
use warnings;

sub texts {
	return (
		# SQL, and what libpq makes of arrays
		"'; DROP TABLE shortenedurls; --",
		"' OR '1'='1",
		"'||pg_sleep(9)||'",
		"\$\$;SELECT pg_sleep(9);\$\$",
		'$1 $2 $99',
		"\\'; SELECT pg_sleep(9); --",
		"U&'\\0027' E'\\x27'",
		'%_\\%',
		'{a,"b",NULL}',
		'NULL',
		'\\N',
		'/* x */ --',
		# HTML
		'<script>hostile()</script>',
		'"><img src=x onerror=hostile()>',
		"' onmouseover='hostile()",
		'&lt;b&gt; &#39; &amp;amp; &',
		'</title></p></a><hostile>',
		'<!-- ]]> <![CDATA[<hostile>]]>',
		'javascript:hostile()',
		'data:text/html,<hostile>',
		# templates, formats, shells
		'{{message}} {{base}} {{srcUrl}}',
		'%s%n%x %1$n %99999d',
		'$(id) `id` ;id |id &id',
		'../../../../etc/passwd',
		'\\\\evil\\share',
		# HTTP
		"x\r\nX-Hostile: yes",
		"x\nX-Hostile: yes",
		"x\rX-Hostile: yes",
		"\r\n\r\n<script>hostile()</script>",
		'%0d%0aX-Hostile:%20yes',
		"\xE5\x98\x8A\xE5\x98\x8DX-Hostile: yes", # U+560A and U+560D, whose low bytes are LF and CR
		# Unicode
		"x\0y",
		"x\x7Fy",
		"x\xC2\x85y",             # NEL, a control character
		"x\xE2\x80\xA8y",         # line separator
		"x\xE2\x80\xAEy",         # right-to-left override
		"x\xEF\xBB\xBFy",         # byte order mark
		"x\xEF\xBF\xBFy",         # U+FFFF
		"x\xF4\x8F\xBF\xBFy",     # U+10FFFF
		"e\xCC\x81 \xC3\xA9",     # the same letter, composed and not
		"\xEF\xBC\x9Chostile\xEF\xBC\x9E", # < and > of full width
	);
}

1;
