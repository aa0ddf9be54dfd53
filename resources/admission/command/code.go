package command

import (
	"path"
	"slices"
	"strings"
)

// languageOf returns the table row of an interpreter. Version suffixes of the name are
// ignored.
func languageOf(name string) (r row, found bool) {
	all := append(rows("code", name), rows("code", strings.TrimRight(name, "0123456789."))...)
	if len(all) > 0 {
		return all[0], true
	}
	return row{}, false
}

// interpreter checks code that is passed to an interpreter by an option, by its input or as
// a file that the command line wrote.
func (m *interpreter) interpreter(r row, c *invocation) {
	lang, code := r.names, r.get("code")
	if module, args := moduleOf(r, c); module != "" && !hasWord("timeit cProfile profile", module) {
		inner := *c
		inner.name, inner.args, inner.parsed, inner.text = strings.ToLower(module), args, nil, c.part()
		m.dangers(&inner)
		return
	}
	power, python := lang == "pwsh" || lang == "powershell", lang == "python"
	for i, f := range c.args {
		behind := c.args[i+1:]
		switch {
		case python && len(f.text) > 2 && strings.HasPrefix(f.text, "-c"):
			m.foreign(lang, f.text[2:], c)
		case strings.HasPrefix(f.text, "--eval:"): // nim
			m.foreign(lang, f.text[len("--eval:"):], c)
		case len(behind) == 0:
		case power && hasWord(code, f.text):
			m.reportIf(strings.HasPrefix(strings.ToLower(f.text), "-e"), "unknown-code", c.part(), "it is encoded")
			m.foreign(lang, texts(behind), c)
			return
		case hasWord(code, f.text), !power && bundles(code, f.text):
			m.foreign(lang, behind[0].text, c)
		}
	}
	if python && len(c.args) > 1 && c.args[0].text == "-m" && hasWord("timeit cProfile profile", c.args[1].text) {
		for _, f := range c.args[2:] {
			m.foreign(lang, f.text, c)
		}
	}
	o := c.optionsTaking(r.get("takes") + " " + code)
	if len(o.operands) > 1 && o.operands[0].text == r.get("words") { // deno run FILE
		o = &parsedOptions{options: o.options, operands: o.operands[1:]}
	}
	switch {
	case len(o.operands) > 0 && o.operands[0].text != "-":
		m.codeFile(r, c, o)
	case c.piped && !o.has(code) && !literally(c.args, "--version -V") && !strings.HasPrefix(texts(c.args), "-m"):
		m.foreign(lang, c.stdin, c)
	}
}

// moduleOf returns the module that Python runs as a program and its arguments, or "".
func moduleOf(r row, c *invocation) (module string, args []field) {
	if r.names != "python" && r.names != "pypy" {
		return "", nil
	}
	for i := 0; i < len(c.args) && strings.HasPrefix(c.args[i].text, "-"); i++ {
		switch a := c.args[i].text; {
		case a == "-m" && i+1 < len(c.args):
			return c.args[i+1].text, c.args[i+2:]
		case len(a) > 2 && strings.HasPrefix(a, "-m"):
			return a[2:], c.args[i+1:]
		case a == "-W" || a == "-X":
			i++
		case strings.HasPrefix(a, "-c"):
			return "", nil
		}
	}
	return "", nil
}

// codeFile checks a file passed to an interpreter: one that the command line wrote, or a
// framework command.
func (m *interpreter) codeFile(r row, c *invocation, o *parsedOptions) {
	name := o.operands[0].text
	base := path.Base(name)
	switch text, written := m.files[m.absolute(name)]; {
	case written:
		m.foreign(r.names, text, c)
	case isAddress(name):
		m.report("network-to-shell", c.part(), "")
	case hasAnyPrefix(name, "npm:", "jsr:"):
		at := slices.IndexFunc(c.args, func(f field) bool { return f.text == name })
		m.run(ofPackage(c.args[at:]), c.stdin, c.piped)
	case !isKnown(base) && r.names != "php" && !o.has(r.get("code")):
		m.report("unknown-code", c.part(), "")
	case hasWord("artisan manage.py console rails", base):
		at := slices.IndexFunc(c.args, func(f field) bool { return f.text == name })
		inner := *c
		inner.name, inner.args, inner.parsed, inner.text = base, c.args[at+1:], nil, ""
		if code, ok := inner.optionsTaking("-c --command").value("-c --command"); ok && base == "manage.py" {
			m.foreign(r.names, code, c)
		}
		m.dangers(&inner)
	}
}

// bundles reports whether a word is a bundle of short options that ends with an option for
// code.
func bundles(options, w string) bool {
	isNone := func(r rune) bool { return r > 0x7f || r == '_' || !isNameByte(byte(r)) }
	return len(w) > 2 && w[0] == '-' && !strings.ContainsFunc(w[1:], isNone) && hasWord(options, "-"+w[len(w)-1:])
}

// hasAny reports whether a text contains one of the parts.
func hasAny(text string, parts ...string) bool {
	return slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(text, part) })
}

// foreign checks code in another language. It does not interpret the code. It only searches
// for harmful calls with literal arguments.
func (m *interpreter) foreign(lang string, code string, c *invocation) {
	isReading := func(r row) bool { return r.get("code") != "" && r.onlyReads(code) }
	if !onlyPrintsFiles(code) && !slices.ContainsFunc(rows("read-only", lang), isReading) {
		m.namedFiles(code, c)
		m.codeWrites(lang, code, c)
	}
	switch {
	case strings.Contains(code, fetched):
		m.report("network-to-shell", c.part(), "")
		return
	case strings.Trim(code, marks+" \n\t") == "":
		m.reportIf(strings.ContainsAny(code, marks), "unknown-code", c.part(), "")
		return
	case lang == "osascript":
		if strings.Contains(code, "do shell script") {
			m.codes(textsOf(literalsIn(code)), c)
		}
		return
	case lang == "pwsh" || lang == "powershell":
		m.aliases["ri"] = "remove-item" // in Ruby environments it prints manuals
		m.runScript(strings.ReplaceAll(code, "\\", "/"), "")
		delete(m.aliases, "ri")
	}
	calls := callsIn(code)
	named := constantsIn(code)
	for i := range calls {
		calls[i].args = named.inFirst(calls[i].args)
	}
	m.codeRuns(calls, code, lang, c)
	m.codeDeletes(calls, code, c)
	m.codeDynamic(calls, code, c.part())
	flat := strings.Join(strings.Fields(code), "")
	for i, call := range rowCalls {
		if strings.Contains(flat, call) && (i < allRows || !hasAny(flat, ".where(", ".where.")) {
			m.report("sql-unbounded", c.part(), call)
			break
		}
	}
	for _, t := range literalsIn(code) {
		if rule := sqlIn(t.text); rule != "" && hasAny(code, "execute", "query", ".exec", "connect", "prepare") {
			m.report(rule, c.part(), "")
		}
	}
}

// rowCalls lists framework calls that delete or change all rows of a table. The ones after
// the first allRows do so only without a condition.
var rowCalls = [...]string{
	".objects.all().delete(", ".objects.all()._raw_delete(", ".objects.delete(", ".deleteMany()", ".deleteMany({})", ".query().delete()", ".query.delete()",
	".delete_all", ".destroy_all", ".update_all",
}

const allRows = 7

// sqlIn returns the rule that an SQL text in code violates, or "".
func sqlIn(text string) string {
	if len(text) < 8 || !strings.ContainsAny(text, " /") {
		return ""
	}
	for _, s := range statements(text) {
		if rule := sqlRule(s); rule != "" && hasWord("DROP DELETE TRUNCATE UPDATE ALTER", s[0]) {
			return rule
		}
	}
	return ""
}

// codeDynamic reports code that runs generated or hidden code: eval and exec, imports with a
// computed name, and decoding in code that runs commands.
func (m *interpreter) codeDynamic(calls []call, code, part string) {
	for _, c := range calls {
		rule, holds := "unknown-code", false
		switch c.name {
		case "eval", "exec", "compile", "Function", "execfile", "instance_eval", "class_eval", "runInThisContext", "runInNewContext", "IEX", "iex", "loadstring", "load", "assert", "create_function":
			holds = !c.meansElse(code)
			if hasAny(code, "urlopen", "requests.get", "http.get", "fetch(", "file_get_contents(\"http", "file_get_contents('http", "DownloadString") {
				rule = "network-to-shell"
			}
		case "send":
			holds = hasAny(c.args, "system", "exec")
		case "__import__", "import_module", "__getattribute__":
			holds = hasAny(c.args, "+", "[::-1]", "chr(", "decode", "join")
		case "getattr", "DownloadString", "DownloadFile":
			holds = true
		case "b64decode", "atob", "fromhex", "unhexlify", "decode64", "base64_decode", "fromCharCode", "unpack":
			holds = hasAny(code, "exec", "eval", "system", "spawn", "subprocess")
		}
		m.reportIf(holds, rule, part, "")
	}
	indirect := hasAny(code, "globals()[", "__builtins__", "__dict__[", "constructor.constructor", "process.binding", "['child_'")
	m.reportIf(indirect || strings.Contains(code, "require(") && strings.Contains(code, "'+'"), "unknown-code", part, "")
}

// meansElse reports whether a call has the name of a code-executing function but is another
// one.
func (c call) meansElse(code string) bool {
	switch c.name {
	case "load":
		return strings.Contains(c.prefix, ".")
	case "compile":
		return strings.Contains(c.prefix, "re.") || c.prefix == "" && !hasAny(code, "exec", "eval")
	case "exec":
		return strings.HasSuffix(c.prefix, ".")
	case "assert":
		return !strings.Contains(code, "$")
	case "eval":
		return strings.HasSuffix(c.prefix, "model.")
	}
	return false
}

// call is a function call in code.
type call struct {
	name   string // last part of the name: "system" in os.system
	prefix string // preceding part: "os."
	args   string
}

// callsIn returns the calls in code: name(args), and name args if a string follows
// directly.
func callsIn(code string) []call {
	var all []call
	for i := 0; i < len(code) && len(all) < 400; {
		c := code[i]
		switch {
		case c == '#' && (i == 0 || code[i-1] == '\n'):
			n := strings.IndexByte(code[i:], '\n')
			if n < 0 {
				return all
			}
			i += n
			continue
		case c == '\'' || c == '"':
			i = endOfText(code, i)
			continue
		}
		n := i
		for n < len(code) && (isNameByte(code[n]) || code[n] == '-' && n > i && n+1 < len(code) && code[n+1] >= 'A' && code[n+1] <= 'Z') {
			n++
		}
		if n == i {
			i++
			continue
		}
		from, rest := i, n
		for from > 0 && (isNameByte(code[from-1]) || strings.IndexByte(".:>-)('\"$", code[from-1]) >= 0) && i-from < 60 {
			from--
		}
		for rest < len(code) && (code[rest] == ' ' || code[rest] == '?' || code[rest] == '!' && rest+1 < len(code) && code[rest+1] == '(' || code[rest] == '.' && rest+1 < len(code) && code[rest+1] == '(') {
			rest++
		}
		if x := (call{name: code[i:n], prefix: code[from:i]}); rest < len(code) && code[rest] == '(' {
			x.args = code[rest+1 : max(rest+1, endOfCall(code, rest)-1)]
			all = append(all, x)
		} else if rest < len(code) && strings.IndexByte("'\"[{/<", code[rest]) >= 0 {
			x.args, _, _ = strings.Cut(code[rest:], "\n")
			x.args, _, _ = strings.Cut(x.args, ";")
			all = append(all, x)
		}
		i = n
	}
	return all
}

// constants maps the variables in code that are assigned exactly once, with a string literal
// as value.
type constants map[string]string

// constantsIn returns the variables that code assigns once, with a string literal.
func constantsIn(code string) constants {
	all, seen := constants{}, map[string]bool{}
	for statement := range strings.FieldsFuncSeq(code, func(r rune) bool { return r == '\n' || r == ';' }) {
		name, value, found := strings.Cut(statement, "=")
		words := strings.Fields(name)
		if !found || len(words) == 0 || strings.HasPrefix(value, "=") {
			continue
		}
		name, value = strings.TrimPrefix(words[len(words)-1], "$"), strings.TrimSpace(value)
		if seen[name] || value == "" || value[0] != '\'' && value[0] != '"' || endOfText(value, 0) != len(value) {
			delete(all, name)
		} else {
			all[name] = value
		}
		seen[name] = true
	}
	return all
}

// inFirst replaces a constant in the first argument of a call by its value.
func (c constants) inFirst(args string) string {
	first, rest, more := strings.Cut(args, ",")
	text, found := c[strings.TrimPrefix(strings.TrimSpace(first), "$")]
	switch {
	case !found:
		return args
	case more:
		return text + "," + rest
	}
	return text
}

// endOfText returns the end of the string literal that starts at i.
func endOfText(code string, i int) int {
	quote, thrice := code[i], strings.Repeat(code[i:i+1], 3)
	if strings.HasPrefix(code[i:], thrice) {
		if n := strings.Index(code[i+3:], thrice); n >= 0 {
			return i + 3 + n + 3
		}
	}
	for j := i + 1; j < len(code); j++ {
		if code[j] == '\\' {
			j++
		} else if code[j] == quote {
			return j + 1
		}
	}
	return len(code)
}

// endOfCall returns the end of the parentheses that open at i.
func endOfCall(code string, i int) int {
	depth := 0
	for j := i; j < len(code); j++ {
		switch code[j] {
		case '\'', '"', '`':
			j = endOfText(code, j) - 1
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth--; depth == 0 {
				return j + 1
			}
		}
	}
	return len(code)
}

// stringLiteral is a string literal in code.
type stringLiteral struct {
	text string
	end  int
}

// literalsIn returns the string literals in code.
func literalsIn(code string) []stringLiteral {
	var all []stringLiteral
	for i := 0; i < len(code) && len(all) < 200; {
		if c := code[i]; c != '\'' && c != '"' && c != '`' {
			i++
			continue
		}
		end := endOfText(code, i)
		body := strings.Trim(code[i:end], string(code[i]))
		all = append(all, stringLiteral{unescaped(body, ansiC), end})
		i = max(end, i+1)
	}
	return all
}

// textsOf returns the texts of literals.
func textsOf(all []stringLiteral) []string {
	var texts []string
	for _, t := range all {
		texts = append(texts, t.text)
	}
	return texts
}

// dynamic reports whether the arguments of a call contain more than string literals, so
// that they are only known at run time.
func dynamic(args string) bool {
	var b strings.Builder
	for i := 0; i < len(args); {
		c := args[i]
		if c == '\'' || c == '"' || c == '`' {
			end := endOfText(args, i)
			if (c == '`' || c == '"') && strings.Contains(args[i:end], "${") || c == '"' && strings.Contains(args[i:end], "#{") {
				return true
			}
			if i > 0 && (args[i-1] == 'f' || args[i-1] == 'F') && strings.Contains(args[i:end], "{") {
				return true
			}
			i = end
			b.WriteString("'")
			continue
		}
		b.WriteByte(c)
		i++
	}
	rest := b.String()
	for _, word := range strings.FieldsFunc(rest, func(r rune) bool { return strings.ContainsRune(" ,[](){}'\n\t;", r) }) {
		name, _, keyword := strings.Cut(word, "=")
		switch {
		case keyword || strings.HasSuffix(word, ":") || strings.Trim(word, "0123456789.") == "":
		case hasWord("True False None true false null nil shell check stdout stderr stdin text encoding capture_output recursive force inherit utf8 timeout cwd maxRetries ignore_errors", name), strings.HasPrefix(word, "subprocess."), word == "rb" || word == "r" || word == "b" || word == "u":
		default:
			return true
		}
	}
	return strings.Contains(rest, "+") || strings.Contains(rest, "%")
}
