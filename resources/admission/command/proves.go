package command

import (
	"path"
	"slices"
	"strings"
)

// maxProved is the maximum length of code that is checked for being read-only.
const maxProved = 4096

// readsInCode reports whether a row matches an interpreter whose code, from arguments or
// input, is read-only.
func (r row) readsInCode(c *invocation) bool {
	o := c.optionsTaking(r.get("takes") + " " + r.get("code"))
	codes := o.values(r.get("code"))
	if len(codes) == 0 && c.piped && (len(o.operands) == 0 || o.operands[0].text == "-") {
		codes = []string{c.stdin}
	}
	isOther := func(x option) bool { return !hasWord(r.get("takes")+" "+r.get("code"), x.name) }
	return len(codes) > 0 && !slices.ContainsFunc(o.options, isOther) && !slices.ContainsFunc(codes, func(code string) bool { return !r.onlyReads(code) })
}

// onlyReads reports whether code is read-only: it loads only modules in the row, opens
// files only for reading, and contains no word that can write, run commands or generate
// code. Words in string literals count too, so the check may fail for read-only code.
func (r row) onlyReads(code string) bool {
	code = strings.NewReplacer("sys.stdout.write(", "print(", "process.stdout.write(", "print(").Replace(code)
	if len(code) > maxProved || !isKnown(code) || hasAny(code, "](", "'+'", `"+"`, `\x`, `\u`, `\N`) {
		return false
	}
	counts := map[string]int{}
	for _, word := range strings.FieldsFunc(code, func(ch rune) bool { return ch < 0x80 && !isNameByte(byte(ch)) }) {
		counts[word]++
		isForbidden := func(pattern string) bool { ok, _ := path.Match(pattern, word); return ok }
		if slices.ContainsFunc(strings.Fields(r.get("spares")), isForbidden) {
			return false
		}
	}
	for _, x := range callsIn(code) {
		args := strings.Split(x.args, ",")
		switch found := literalsIn(x.args); {
		case x.name == "require" && len(found) == 1 && !dynamic(x.args) && r.mayLoad(found[0].text),
			x.name == "open" && opensToRead(x, args),
			x.name == "replace" && len(args) > 1 && !strings.HasSuffix(x.prefix, "os."):
			counts[x.name]--
		}
	}
	return counts["require"] == 0 && counts["open"] == 0 && (counts["replace"] == 0 || !hasWord(r.names, "python")) && counts["import"] == r.imports(code)
}

// opensToRead reports whether a call of open uses no mode other than reading.
func opensToRead(x call, args []string) bool {
	if !strings.HasSuffix(x.prefix, ".") { // the first argument is the file
		args = args[1:]
	}
	isOther := func(arg string) bool {
		return strings.TrimSpace(arg) != "" && !hasAnyPrefix(strings.TrimSpace(arg), "'r'", `"r"`, "'rb'", `"rb"`, "'rt'", `"rt"`, "encoding=", "errors=", "newline=")
	}
	return !strings.Contains(x.args, "*") && !slices.ContainsFunc(args, isOther)
}

// mayLoad reports whether a module is listed in the row or is data.
func (r row) mayLoad(name string) bool {
	return hasWord(r.get("words"), strings.TrimPrefix(name, "node:")) || strings.HasSuffix(name, ".json")
}

// imports counts the import statements in code that load allowed modules: import a, b; from
// a import b; import x from 'a'.
func (r row) imports(code string) (count int) {
	isEnd := func(ch rune) bool { return ch == '\n' || ch == ';' }
	for s := range strings.FieldsFuncSeq(code, isEnd) {
		words := strings.Fields(strings.TrimSpace(s))
		if len(words) < 2 {
			continue
		}
		names := []string{words[1]}
		switch from := slices.Index(words, "from"); {
		case words[0] == "import" && from > 0 && from+1 < len(words):
			names = []string{strings.Trim(words[from+1], `'"`)}
		case words[0] == "import":
			names = strings.Split(strings.TrimPrefix(strings.TrimSpace(s), "import "), ",")
		case words[0] != "from" || len(words) < 4:
			continue
		}
		isOther := func(name string) bool {
			name, _, _ = strings.Cut(strings.TrimSpace(name), " ")
			name, _, _ = strings.Cut(name, ".")
			return !r.mayLoad(name)
		}
		if !slices.ContainsFunc(names, isOther) {
			count++
		}
	}
	return count
}

// readingWords lists names of functions and arguments, in any language, in code that reads
// and prints files.
const readingWords = " puts print p println printf echo say cat File read readlines readLines readline readText IO open io a r rb readAll summary csv CSV table str head tail " +
	"size length len nchar String each map lines split strip chomp trim join sum count JSON parse json load loads require import console log fs readFileSync utf8 do end if else for in of let const var true false nil null None TRUE FALSE " +
	"text content data line lines l f x y i n get keys values items spec sort uniq slurp Path read_text Files readString "

// onlyPrintsFiles reports whether code in any language only reads and prints files.
func onlyPrintsFiles(code string) bool {
	if !isKnown(code) || strings.ContainsAny(code, "`$%@\\<>|") || strings.Contains(code, "#{") || len(code) > maxProved {
		return false
	}
	rest := code
	for _, t := range slices.Backward(literalsIn(code)) {
		start := max(0, t.end-len(t.text)-2)
		if start+1 > len(code) || t.end > len(rest) {
			return false
		}
		if before := strings.TrimRight(code[:start], " "); strings.HasSuffix(before, ",") && t.text != "r" && t.text != "rb" && t.text != "utf8" && t.text != "utf-8" {
			return false // a mode, or text to write
		}
		rest = rest[:start] + " " + rest[t.end:]
	}
	for _, word := range strings.FieldsFunc(rest, func(ch rune) bool { return ch < 0x80 && !isNameByte(byte(ch)) }) {
		if !strings.Contains(readingWords, " "+word+" ") && strings.Trim(word, "0123456789") != "" {
			return false
		}
	}
	return true
}
