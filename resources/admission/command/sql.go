package command

import (
	"slices"
	"strings"
)

// queries checks the statements that a command sends to a database.
func (m *interpreter) queries(r row, c *invocation) {
	o := c.optionsTaking(r.get("takes") + " " + r.get("code"))
	said := o.values(r.get("code"))
	if n := r.number("operands"); n > 0 && len(o.operands) >= n {
		if r.get("how") == "" {
			said = append(said, plainTexts(o.operands[n:])...)
		}
		said = append(said, texts(o.operands[n-1:]))
	}
	if c.piped {
		said = append(said, c.stdin)
	}
	for _, name := range o.values("-f --file -i -init") {
		if text := m.content(name, c); text != unknown {
			said = append(said, text)
		}
	}
	for _, f := range c.args { // -eSQL after other letters, and options of sqlite
		if len(f.text) > 3 && f.text[0] == '-' && f.text[1] != '-' && strings.ContainsAny(f.text, " ") {
			said = append(said, f.text[2:])
		}
	}
	judge := map[string]func(string, *invocation){"": m.sql, "mongo": m.mongo, "redis": m.redis}[r.get("how")]
	for _, text := range said {
		// COPY t TO 'a', .output a and \o a count if they replace tracked files.
		for _, t := range literalsIn(text) {
			before := strings.Fields(strings.ToUpper(strings.TrimRight(text[:max(0, t.end-len(t.text)-2)], "(")))
			if len(before) > 0 && hasWord("TO OUTFILE DUMPFILE INTO DATABASE WRITEFILE", before[len(before)-1]) {
				m.replacesTracked(field{text: t.text}, true, c)
			}
		}
		for line := range strings.Lines(text) {
			words := strings.Fields(line)
			if len(words) > 1 && hasWord(`.output .once .save .backup .log .excel .clone \o \g \w \s \copy \T tee`, words[0]) {
				for _, word := range words[1:] {
					m.replacesTracked(field{text: strings.Trim(word, "'\";|")}, false, c)
				}
			}
		}
		if len(o.operands) == 0 || o.operands[0].text != ":memory:" || strings.HasPrefix(text, ".") { // discarded when the command ends
			judge(text, c)
		}
	}
}

// sql checks the statements of an SQL text.
func (m *interpreter) sql(text string, c *invocation) {
	if strings.Contains(text, fetched) {
		m.report("network-to-shell", c.part(), "")
		return
	}
	for _, statement := range statements(text) {
		if rule := sqlRule(statement); rule != "" {
			m.report(rule, c.part(), strings.Join(statement[:min(6, len(statement))], " "))
			return
		}
	}
	if hasAny(strings.ToUpper(text), "EXECUTE", "PREPARE", "EXEC ", "EXEC(") {
		for _, t := range literalsIn(text) { // texts that are executed as SQL
			if rule := sqlIn(t.text); rule != "" {
				m.report(rule, c.part(), t.text)
				return
			}
		}
	}
	for line := range strings.SplitSeq(text, "\n") { // client commands
		line = strings.TrimSpace(line)
		for _, prefix := range [...]string{`\!`, ".shell ", ".system ", "system ", "!", "host "} {
			if len(line) > len(prefix) && strings.EqualFold(line[:len(prefix)], prefix) {
				m.runCode(strings.TrimSpace(line[len(prefix):]), "", c.part())
			}
		}
		for _, prefix := range [...]string{`\i `, `\ir `, `\include `, `\include_relative `, `\. `, ".read ", "source ", "@"} { // included scripts
			if name, reads := strings.CutPrefix(line, prefix); reads {
				script := m.contentOf(strings.Trim(name, " ;'\""))
				m.limited(maxNestedCommands, line, func() string {
					m.sql(script, &invocation{path: c.path, args: c.args, text: c.part(), piped: true, dir: c.dir})
					return ""
				})
			}
		}
	}
	if c.args != nil && len(strings.Trim(text, marks+" \n;")) == 0 && strings.Contains(text, unknown) && !c.piped {
		m.report("unknown-code", c.part(), "")
	}
}

// statements splits SQL into statements of upper-case words, without comments.
// A word of two single quotes represents each string literal.
func statements(text string) [][]string {
	var all [][]string
	var words []string
	for text != "" {
		n, word := sqlToken(text)
		if word != "" && word != ";" {
			words = append(words, word)
		}
		if text = text[n:]; len(words) > 0 && (word == ";" || text == "") {
			all, words = append(all, words), nil
		}
	}
	return all
}

// sqlToken returns the length of the first token of a text and its word. The word is "" if
// the token has no word.
func sqlToken(text string) (length int, word string) {
	upTo := func(end string, from int) int {
		if n := strings.Index(text[from:], end); n >= 0 {
			return from + n
		}
		return len(text)
	}
	inName := func(r rune) bool { return r >= 0x80 || r == '$' || isNameByte(byte(r)) }
	switch c := text[0]; {
	case c == '#', strings.HasPrefix(text, "--"):
		return upTo("\n", 0), ""
	case strings.HasPrefix(text, "/*!"), strings.HasPrefix(text, "/*+"): // executed by MySQL
		return len(text) - len(strings.TrimLeft(text[3:], "0123456789")), ""
	case strings.HasPrefix(text, "*/"):
		return 2, ""
	case strings.HasPrefix(text, "/*"):
		return min(upTo("*/", 2)+2, len(text)), ""
	case c == '\'':
		n := 1
		for ; n < len(text) && text[n] != '\''; n++ {
			if text[n] == '\\' {
				n++
			}
		}
		return min(n+1, len(text)), "''"
	case inName(rune(c)):
		rest := strings.TrimLeftFunc(text, func(r rune) bool { return r == '.' || inName(r) })
		return len(text) - len(rest), strings.ToUpper(text[:len(text)-len(rest)])
	case strings.IndexByte("=<>*\\;", c) >= 0:
		return 1, text[:1]
	}
	return 1, ""
}

// dropped lists words that can follow DROP.
const dropped = "TABLE TABLES DATABASE SCHEMA VIEW KEYSPACE USER ROLE TABLESPACE MATERIALIZED COLLECTION STREAM BUCKET OWNED SEQUENCE FUNCTION PROCEDURE TRIGGER EXTENSION TYPE COLUMN SERVER PUBLICATION SUBSCRIPTION WAREHOUSE STAGE MEASUREMENT SERIES DICTIONARY POLICY PARTITION LOGIN"

// sqlRule returns the rule that a statement violates, or "".
func sqlRule(words []string) string {
	first := words[0]
	if first == "EXPLAIN" && !slices.Contains(words, "ANALYZE") {
		return ""
	}
	for i, w := range words {
		next := ""
		if i+1 < len(words) {
			next = words[i+1]
		}
		switch {
		case w == "DROP" && hasWord(dropped, next) && (i == 0 || first != "SELECT"),
			w == "TRUNCATE" && (i == 0 || hasWord("ALTER WITH DO BEGIN EXECUTE", first)),
			w == "ALTER" && i == 0 && slices.Contains(words, "DROP") && slices.Contains(words, "COLUMN"),
			w == "SHUTDOWN" && i == 0:
			return "sql-drop"
		case w == "DELETE" && (next == "FROM" || i == 0) && !slices.Contains(words[:i], "ON") && !hasWord("CREATE GRANT SELECT", first) && unbounded(words[i:]),
			w == "UPDATE" && i == 0 && slices.Contains(words, "SET") && unbounded(words):
			return "sql-unbounded"
		case hasWord("XP_CMDSHELL PG_READ_FILE LO_EXPORT", w), w == "PROGRAM" && first == "COPY": // COPY ... TO PROGRAM
			return "unknown-code"
		}
	}
	return ""
}

// unbounded reports whether a statement affects all rows: it has neither WHERE
// nor LIMIT, or its condition has one of some known forms that are always true,
// such as 1 = 1.
func unbounded(words []string) bool {
	for i, w := range words {
		if w == "LIMIT" {
			return false
		}
		if w != "WHERE" {
			continue
		}
		rest := words[i+1:]
		for len(rest) > 0 && rest[0] == "NOT" {
			rest = rest[1:]
		}
		n := len(rest)
		return n == 0 || n == 1 && (rest[0] == "TRUE" || rest[0] == "1") || n == 3 && rest[1] == "=" && rest[0] == rest[2] ||
			n > 4 && slices.Contains(rest, "OR") && rest[n-2] == "=" && rest[n-1] == rest[n-3] ||
			n == 4 && rest[1] == "<" && rest[2] == ">" && rest[0] != rest[3] && rest[0] >= "0" && rest[0] <= "99"
	}
	return true
}

// flushes lists MongoDB calls that delete whole collections or databases.
var flushes = [...]string{".dropDatabase(", ".drop(", ".deleteMany({})", ".remove({})", ".deleteMany()", ".remove()", ".dropIndexes(", ".dropUser(", ".dropAllUsers", "shutdownServer", ".updateMany({},", ".update({},"}

// mongo checks JavaScript that is sent to MongoDB.
func (m *interpreter) mongo(text string, c *invocation) {
	flat := strings.Join(strings.Fields(text), "")
	if i := slices.IndexFunc(flushes[:], func(call string) bool { return strings.Contains(flat, call) }); i >= 0 {
		m.report("data-flush", c.part(), flushes[i])
		return
	}
	m.reportIf(strings.Trim(text, marks+" \n") == "" && text != "" && !c.piped, "unknown-code", c.part(), "")
}

// redis checks Redis commands, one per line.
func (m *interpreter) redis(text string, c *invocation) {
	for line := range strings.Lines(text) {
		words := strings.Fields(strings.ToUpper(line))
		if len(words) == 0 {
			continue
		}
		flushes, why := false, ""
		switch words[0] {
		case "FLUSHALL", "FLUSHDB", "SHUTDOWN", "SWAPDB", "SLAVEOF", "REPLICAOF", "FAILOVER":
			flushes = true
		case "DEL", "UNLINK":
			flushes, why = strings.Contains(line, unknown), "the keys are only known when it runs"
		case "DEBUG":
			flushes = len(words) > 1 && hasWord("SEGFAULT PANIC RESTART CRASH-AND-RECOVER OOM LOADAOF RELOAD FLUSHALL", words[1])
		case "CONFIG", "SCRIPT", "ACL", "CLUSTER", "FUNCTION":
			flushes = len(words) > 1 && hasWord("SET RESETSTAT FLUSH DELUSER RESET FORGET DELETE", words[1])
		case "EVAL":
			flushes = hasAny(strings.Join(words, " "), "FLUSH", "KEYS'")
		}
		m.reportIf(flushes, "data-flush", c.part(), why)
	}
}
