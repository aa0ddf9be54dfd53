package command

import (
	"slices"
	"strings"
)

// queries judges what a command tells a database.
func (m *machine) queries(r row, c *invocation) {
	o := c.with(r.get("takes") + " " + r.get("code"))
	if len(o.operands) > 0 && o.operands[0].text == ":memory:" { // it is gone when the command ends
		return
	}
	said := o.values(r.get("code"))
	if r.number("operands") > 0 && len(o.operands) >= r.number("operands") {
		for i, f := range o.operands[r.number("operands")-1:] {
			if i > 0 && r.get("how") == "" {
				said = append(said, f.text)
			}
		}
		said = append(said, texts(o.operands[r.number("operands")-1:]))
	}
	if c.piped {
		said = append(said, c.stdin)
	}
	for _, name := range o.values("-f --file -i -init") {
		if text, ok := m.files[m.absolute(name)]; ok {
			said = append(said, text)
		}
	}
	for _, f := range c.args { // -eSQL behind other letters, and sqlite's own options
		if len(f.text) > 3 && strings.HasPrefix(f.text, "-") && strings.ContainsAny(f.text, " ") {
			said = append(said, f.text[2:])
		}
	}
	for _, text := range said {
		switch r.get("how") {
		case "mongo":
			m.mongo(text, c)
		case "redis":
			m.redis(text, c)
		default:
			m.sql(text, c)
		}
	}
}

// sql judges a text in SQL.
func (m *machine) sql(text string, c *invocation) {
	if strings.Contains(text, fetched) {
		m.object("network-to-shell", c.part(), "")
		return
	}
	for _, statement := range statements(text) {
		if rule := sqlRule(statement); rule != "" {
			m.object(rule, c.part(), strings.Join(statement[:min(6, len(statement))], " "))
			return
		}
	}
	if upper := strings.ToUpper(text); strings.Contains(upper, "EXECUTE") || strings.Contains(upper, "PREPARE") || strings.Contains(upper, "EXEC ") || strings.Contains(upper, "EXEC(") {
		for _, t := range literalsIn(text) { // texts that are run as SQL
			if rule := sqlIn(t.text); rule != "" {
				m.object(rule, c.part(), t.text)
				return
			}
		}
	}
	for line := range strings.SplitSeq(text, "\n") { // commands of the clients
		line = strings.TrimSpace(line)
		low := strings.ToLower(line)
		for _, prefix := range [...]string{`\!`, ".shell ", ".system ", "system ", "!", "host "} {
			if strings.HasPrefix(low, prefix) && len(line) > len(prefix) {
				m.code(strings.TrimSpace(line[len(prefix):]), "", c.part())
			}
		}
	}
	if c.args != nil && len(strings.Trim(text, marks+" \n;")) == 0 && strings.Contains(text, unknown) && !c.piped {
		m.object("unknown-code", c.part(), "")
	}
}

// statements splits SQL into statements of words in upper case, without comments.
// Texts in quotes count as the word ”.
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

// sqlToken is how long the first token of a text is, and what it counts as; "" for nothing.
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
	case strings.HasPrefix(text, "/*!"), strings.HasPrefix(text, "/*+"): // MySQL runs it
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

// dropped are what DROP may be in front of.
const dropped = "TABLE TABLES DATABASE SCHEMA VIEW KEYSPACE USER ROLE TABLESPACE MATERIALIZED COLLECTION STREAM BUCKET OWNED SEQUENCE FUNCTION PROCEDURE TRIGGER EXTENSION TYPE COLUMN SERVER PUBLICATION SUBSCRIPTION WAREHOUSE STAGE MEASUREMENT SERIES DICTIONARY POLICY PARTITION LOGIN"

// sqlRule names the rule that a statement breaks, or "".
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

// unbounded reports whether a statement has no condition, or one that always holds.
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
		switch {
		case len(rest) == 0, rest[0] == "TRUE" && len(rest) == 1, rest[0] == "1" && len(rest) == 1:
			return true
		case len(rest) == 3 && rest[1] == "=" && rest[0] == rest[2]:
			return true
		case len(rest) > 4 && slices.Contains(rest, "OR") && rest[len(rest)-2] == "=" && rest[len(rest)-1] == rest[len(rest)-3]:
			return true
		case len(rest) == 4 && rest[1] == "<" && rest[2] == ">" && rest[0] != rest[3] && rest[0] >= "0" && rest[0] <= "99":
			return true
		}
		return false
	}
	return true
}

// mongo judges JavaScript for MongoDB.
func (m *machine) mongo(text string, c *invocation) {
	flat := strings.Join(strings.Fields(text), "")
	for _, call := range [...]string{".dropDatabase(", ".drop(", ".deleteMany({})", ".remove({})", ".deleteMany()", ".remove()", ".dropIndexes(", ".dropUser(", ".dropAllUsers", "shutdownServer", ".updateMany({},", ".update({},"} {
		if strings.Contains(flat, call) {
			m.object("data-flush", c.part(), call)
			return
		}
	}
	m.objectIf(strings.Trim(text, marks+" \n") == "" && text != "" && !c.piped, "unknown-code", c.part(), "")
}

// redis judges commands for Redis, one a line.
func (m *machine) redis(text string, c *invocation) {
	for line := range strings.Lines(text) {
		words := strings.Fields(strings.ToUpper(line))
		if len(words) == 0 {
			continue
		}
		switch words[0] {
		case "FLUSHALL", "FLUSHDB", "SHUTDOWN", "SWAPDB", "DEBUG", "SLAVEOF", "REPLICAOF", "FAILOVER":
			m.object("data-flush", c.part(), "")
		case "DEL", "UNLINK":
			m.objectIf(strings.Contains(line, unknown), "data-flush", c.part(), "the keys are only known when it runs")
		case "CONFIG", "SCRIPT", "ACL", "CLUSTER", "FUNCTION":
			m.objectIf(len(words) > 1 && hasWord("SET RESETSTAT FLUSH DELUSER RESET FORGET DELETE", words[1]), "data-flush", c.part(), "")
		case "EVAL":
			m.objectIf(strings.Contains(strings.Join(words, " "), "FLUSH") || strings.Contains(strings.Join(words, " "), "KEYS'"), "data-flush", c.part(), "")
		}
	}
}
