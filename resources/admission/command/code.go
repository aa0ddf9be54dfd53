package command

import (
	"path"
	"strings"
)

// languageOf returns the row of a program that runs code, with whatever version in its name.
func languageOf(name string) (r *row, found bool) {
	if all := rows("code", strings.TrimRight(name, "0123456789.")); len(all) > 0 {
		return all[0], true
	}
	return nil, false
}

// interpreter judges a program that is given code: by an option, by its input, or as a
// file that the line has written.
func (m *machine) interpreter(row *row, c *invocation) {
	lang := row.names
	power := lang == "pwsh" || lang == "powershell"
	for i, f := range c.args {
		switch {
		case hasWord(row.code, f.text) && i+1 < len(c.args):
			code := c.args[i+1].text
			if power {
				code = texts(c.args[i+1:])
				if strings.HasPrefix(strings.ToLower(f.text), "-e") {
					m.object("unknown-code", c.part(), "it is encoded")
				}
			}
			m.foreign(lang, code, c)
			if power {
				return
			}
		case !power && len(f.text) > 2 && f.text[0] == '-' && f.text[1] != '-' && lang != "deno" && lang != "python" && bundles(row.code, f.text) && i+1 < len(c.args):
			m.foreign(lang, c.args[i+1].text, c)
		case lang == "python" && strings.HasPrefix(f.text, "-c") && len(f.text) > 2:
			m.foreign(lang, f.text[2:], c)
		case lang == "python" && len(f.text) > 2 && f.text[0] == '-' && f.text[1] != '-' && strings.HasSuffix(f.text, "c") && i+1 < len(c.args):
			m.foreign(lang, c.args[i+1].text, c)
		case f.text == "-m" || f.text == "-W" || f.text == "-r" || f.text == "-I":
		}
	}
	if lang == "python" && len(c.args) > 1 && c.args[0].text == "-m" && hasWord("timeit cProfile profile", c.args[1].text) {
		for _, f := range c.args[2:] {
			m.foreign(lang, f.text, c)
		}
	}
	o := c.with(row.takes + " " + row.code)
	if len(o.operands) > 0 && o.operands[0].text != "-" {
		name := o.operands[0].text
		switch text, written := m.files[m.absolute(name)]; {
		case written:
			m.foreign(lang, text, c)
		case strings.Contains(name, fetched), strings.HasPrefix(name, "http://"), strings.HasPrefix(name, "https://"):
			m.object("network-to-shell", c.part(), "")
		case !known(path.Base(name)) && lang != "php" && !o.has(row.code):
			m.object("unknown-code", c.part(), "")
		case path.Base(name) == "artisan" || path.Base(name) == "manage.py" || path.Base(name) == "console" || path.Base(name) == "rails":
			inner := *c
			inner.name, inner.args, inner.parsed = path.Base(name), behind(c.args, name), nil
			if code, ok := parseOptions(inner.args, "-c --command").value("-c --command"); ok && inner.name == "manage.py" {
				m.foreign(lang, code, c)
			}
			m.dangers(&inner)
		}
		return
	}
	if c.piped && !o.has(row.code) && !literally(c.args, "-m --version -V") && !strings.HasPrefix(texts(c.args), "-m") {
		m.foreign(lang, c.stdin, c)
	}
}

// bundles reports whether a bundle of letters ends with an option for code.
func bundles(options, w string) bool {
	return strings.Trim(w[1:], "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") == "" && hasWord(options, "-"+w[len(w)-1:])
}

// behind are the arguments behind the one of that text.
func behind(args []field, text string) []field {
	for i, f := range args {
		if f.text == text {
			return args[i+1:]
		}
	}
	return nil
}

// deleters are names of calls that delete: the first group whole folders.
var (
	treeDeleters = [...]string{"rmtree", "rm_rf", "rm_r", "remove_tree", "rmSync", "rimraf", "rimrafSync", "removeSync", "emptyDirSync", "emptyDir", "rmdirSync", "removeDirectory", "remove_entry_secure", "remove_dir", "deleteTree", "delTree", "remove_all", "rmdir", "removedirs", "RemoveAll", "deleteDirectory", "unlink_r", "purge"}
	fileDeleters = [...]string{"unlink", "unlinkSync", "remove", "truncate", "delete", "rm"}
	writersTo    = [...]string{"writeFileSync", "writeFile", "appendFileSync", "appendFile", "file_put_contents", "write_text", "write_bytes", "createWriteStream", "copyFileSync", "copyfile", "symlink"}
)

// foreign judges code of another language: not its meaning, but which calls that do harm
// it makes, and whether they are given texts that stand in it.
func (m *machine) foreign(lang string, code string, c *invocation) {
	part := c.part()
	m.named(code, c)
	if strings.Contains(code, fetched) {
		m.object("network-to-shell", part, "")
		return
	}
	if strings.Trim(code, marks+" \n\t") == "" {
		if code != "" && strings.ContainsAny(code, marks) {
			m.object("unknown-code", part, "")
		}
		return
	}
	if lang == "pwsh" || lang == "powershell" {
		m.script(strings.ReplaceAll(code, "\\", "/"), "")
	}
	if lang == "osascript" {
		for _, t := range literalsIn(code) {
			if strings.Contains(code, "do shell script") {
				m.code(t.text, "", part)
			}
		}
		return
	}
	m.codeRuns(code, part, lang)
	m.codeDeletes(code, part, c)
	m.codeDynamic(code, part)
	m.codeModels(code, part)
	for _, t := range literalsIn(code) {
		if rule := sqlIn(t.text); rule != "" && (strings.Contains(code, "execute") || strings.Contains(code, "query") || strings.Contains(code, ".exec") || strings.Contains(code, "connect") || strings.Contains(code, "prepare")) {
			m.object(rule, part, "")
		}
	}
}

// codeModels judges calls of frameworks that delete or change all rows of a table.
func (m *machine) codeModels(code, part string) {
	flat := strings.Join(strings.Fields(code), "")
	for _, call := range [...]string{".objects.all().delete(", ".objects.all()._raw_delete(", ".objects.delete(", ".deleteMany()", ".deleteMany({})", ".query().delete()", ".query.delete()"} {
		if strings.Contains(flat, call) {
			m.object("sql-unbounded", part, call)
			return
		}
	}
	for _, call := range [...]string{".delete_all", ".destroy_all", ".update_all"} {
		if strings.Contains(flat, call) && !strings.Contains(flat, ".where(") && !strings.Contains(flat, ".where.") {
			m.object("sql-unbounded", part, call)
			return
		}
	}
}

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

// codeDynamic judges code that makes code.
func (m *machine) codeDynamic(code, part string) {
	for _, c := range callsIn(code) {
		switch c.name {
		case "eval", "exec", "compile", "Function", "execfile", "instance_eval", "class_eval", "runInThisContext", "runInNewContext", "IEX", "iex", "loadstring", "load", "assert", "create_function":
			if c.name == "load" && strings.Contains(c.before, ".") || c.name == "compile" && strings.Contains(c.before, "re.") || c.name == "exec" && strings.HasSuffix(c.before, ".") || c.name == "assert" && !strings.Contains(code, "$") || c.name == "compile" && c.before == "" && !strings.Contains(code, "exec") && !strings.Contains(code, "eval") || c.name == "eval" && strings.HasSuffix(c.before, "model.") {
				continue
			}
			if strings.Contains(code, "urlopen") || strings.Contains(code, "requests.get") || strings.Contains(code, "http.get") || strings.Contains(code, "fetch(") || strings.Contains(code, "file_get_contents(\"http") || strings.Contains(code, "file_get_contents('http") || strings.Contains(code, "DownloadString") {
				m.object("network-to-shell", part, "")
			} else {
				m.object("unknown-code", part, "")
			}
		case "getattr", "__import__", "import_module", "send", "__getattribute__":
			if c.name == "send" && !strings.Contains(c.args, "system") && !strings.Contains(c.args, "exec") || c.name != "send" && !strings.Contains(c.args, "+") && !strings.Contains(c.args, "[::-1]") && !strings.Contains(c.args, "chr(") && !strings.Contains(c.args, "decode") && !strings.Contains(c.args, "join") && c.name != "getattr" {
				continue
			}
			m.object("unknown-code", part, "")
		case "b64decode", "atob", "fromhex", "unhexlify", "decode64", "base64_decode", "fromCharCode", "unpack", "DownloadString", "DownloadFile":
			if strings.Contains(code, "exec") || strings.Contains(code, "eval") || strings.Contains(code, "system") || strings.Contains(code, "spawn") || strings.Contains(code, "subprocess") || strings.HasPrefix(c.name, "Download") {
				m.object("unknown-code", part, "")
			}
		}
	}
	if strings.Contains(code, "globals()[") || strings.Contains(code, "__builtins__") || strings.Contains(code, "__dict__[") || strings.Contains(code, "constructor.constructor") || strings.Contains(code, "process.binding") || strings.Contains(code, "['child_'") || strings.Contains(code, "require(") && strings.Contains(code, "'+'") {
		m.object("unknown-code", part, "")
	}
}
