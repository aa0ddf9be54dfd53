// Package source reads what stands in a file of a repository under a name that evidence
// cites: in Markdown a heading, in a language that it has a scanner for a declaration, in
// any other file a line. Its functions are pure, from bytes to facts.
package source

import (
	"crypto/sha256"
	"encoding/hex"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/idumb-dev/idumb/resources"
)

// maxScanned is how large a file may be that is looked into, in bytes. A larger one is
// generated, most often, and only that it is gone is noticed.
const maxScanned = 1 << 20

// language is a row of the table of languages.
type language struct {
	name       string
	extensions []string
	// scan reads a file of the language. A file whose facts may be incomplete has Partial set.
	scan func(in input) Facts
}

// languages is the one table of those that are known; any other file is read by lines.
func languages() []language {
	return []language{
		{"Markdown", []string{".md", ".markdown", ".mdx"}, nil},
		{"Go", []string{".go"}, scanGo},
		{"Python", []string{".py", ".pyi", ".pyw"}, scanPython},
		{"TypeScript", []string{".ts", ".mts", ".cts"}, scanTypeScript},
		{"TypeScript", []string{".tsx"}, scanJSX},
		{"JavaScript", []string{".js", ".jsx", ".mjs", ".cjs"}, scanJSX},
		{"Vue", []string{".vue"}, scanComponent},
		{"Svelte", []string{".svelte"}, scanComponent},
		{"Astro", []string{".astro"}, scanComponent},
		{"PHP", []string{".php", ".phtml"}, scanPHP},
		{"Java", []string{".java"}, scanJava},
		{"Rust", []string{".rs"}, scanRust},
		{"Ruby", []string{".rb", ".rake", ".gemspec"}, scanRuby},
		{"C#", []string{".cs"}, scanCSharp},
		{"Kotlin", []string{".kt", ".kts"}, scanKotlin},
		{"C", []string{".c", ".h"}, scanC},
		{"C++", []string{".cc", ".cpp", ".cxx", ".hh", ".hpp", ".hxx", ".ipp", ".inl"}, scanC},
	}
}

// byExtension is that table by the ends of names.
var byExtension = sync.OnceValue(func() map[string]language {
	rows := map[string]language{}
	for _, l := range languages() {
		for _, extension := range l.extensions {
			rows[extension] = l
		}
	}
	return rows
})

// languageOf is the row of a file, by the end of its name; an empty one if there is none.
func languageOf(file string) language { return byExtension()[strings.ToLower(path.Ext(file))] }

// LanguageOf is the name of a file's language, as in Facts; "" if it is not known.
func LanguageOf(file string) string { return languageOf(file).name }

// IsCode reports whether a file, by its name, is of a language whose declarations are read.
func IsCode(file string) bool { return languageOf(file).scan != nil }

// Scan returns what a file says, by its name and its content. Of a file of no known language,
// and of one that cannot be read, only the lines are told. It never fails and never panics: a
// file that defeats its scanner is partial.
func Scan(file string, data []byte) Facts { return scan(languageOf(file), data, false) }

// Outline is Scan for what all files are asked for at once: what others can use of a file, and what
// it uses. Symbols stand at top level alone, and have neither signature, doc nor sums; there are no
// comments, and no code beside notes. What Go says in braces is passed over, whether it parses or not.
func Outline(file string, data []byte) Facts {
	facts := scan(languageOf(file), data, true)
	inner := func(s Symbol) bool { return s.Owner != "" }
	facts.Symbols, facts.Comments = slices.Clip(slices.DeleteFunc(facts.Symbols, inner)), nil
	return facts
}

func scan(l language, data []byte, outline bool) (facts Facts) {
	facts = Facts{Language: l.name, Lines: countLines(data)}
	if l.scan == nil {
		return facts
	}
	if facts.Partial = unreadable(data); facts.Partial != "" {
		return facts
	}
	defer func() {
		if r := recover(); r != nil {
			facts = Facts{Language: l.name, Lines: countLines(data), Partial: "the scanner failed"}
		}
	}()
	return l.scan(input{l.name, data, outline})
}

// Find returns the part of a file that evidence cites by name.
//
// In Markdown it is what stands under the first heading of that text, up to the next
// heading of its level or a higher one. In a language that has a scanner it is the declaration of
// that name (Limit, Server.Limit), whatever else of the file holds the name: its sum is over
// its tokens, so that neither formatting nor comments nor its place in the file change it; of
// several with one name all count. In other files, and for a text that is no name, it begins with the
// line that declares the name, else with the first that holds the text, and ends before the
// next line that is indented no deeper.
func Find(file, name string, data []byte) (part resources.Part) {
	if name = strings.TrimSpace(name); name == "" {
		return resources.Part{}
	}
	if len(data) > maxScanned {
		return resources.Part{Exists: true}
	}
	switch l := languageOf(file); {
	case l.scan != nil:
		return declared(file, data, name)
	case l.name == "Markdown":
		return section(data, name)
	}
	return block(data, name)
}

// Lines are those of the part that Find finds, or of the whole file for no name; nil where there is none.
func Lines(file, name string, data []byte) []string {
	lines := linesOf(data)
	if name = strings.TrimSpace(name); name == "" || len(data) > maxScanned {
		return lines
	}
	switch l := languageOf(file); {
	case l.scan != nil:
		if found := declaredLines(file, data, name); found != nil {
			return found
		}
	case l.name == "Markdown":
		return sectionLines(lines, name)
	}
	if isName(name) {
		if found := blockLines(lines, declaring(name)); found != nil {
			return found
		}
	}
	return blockLines(lines, func(line string) bool { return strings.Contains(line, name) })
}

// Word returns a text that every file holds in which Find finds that part.
func Word(file, name string) string {
	name = strings.TrimSpace(strings.TrimLeft(name, "#"))
	if symbol := symbolOf(name); languageOf(file).scan != nil && symbolName().MatchString(symbol) {
		return symbol[strings.LastIndexByte(symbol, '.')+1:]
	}
	return name
}

// Names returns the names by which Find finds parts of a file, in their order, each once:
// headings of Markdown, declarations of a language that has a scanner. Of other files none are known.
func Names(file string, data []byte) []string {
	if len(data) > maxScanned {
		return nil
	}
	var names []string
	seen := map[string]bool{}
	all := headings(data)
	if languageOf(file).name != "Markdown" {
		all = declaredNames(Scan(file, data))
	}
	for _, name := range all {
		if !seen[name] && name != "" {
			seen[name] = true
			names = append(names, name)
		}
	}
	return names
}

// sumOf is the sum of a text: line ends count as \n, and blank space at its ends does not
// count, so that the same text has the same sum on every machine.
func sumOf(lines []string) string {
	return hexSum([]byte(strings.TrimSpace(strings.Join(lines, "\n"))))
}

func hexSum(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

func linesOf(data []byte) []string {
	return strings.Split(strings.ReplaceAll(string(data), "\r\n", "\n"), "\n")
}
