// Package source reads the content of repository files. Find finds parts by
// name: headings in Markdown, declarations in languages with a scanner, and
// lines in other files. Evidence cites such parts. Scan returns the
// declarations, imports and comments of a file, and ReadDocument the sections
// and links of a Markdown file. All functions are pure.
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

// maxScanned is the maximum size of a scanned file in bytes. Larger files are usually
// generated. For them, evidence only detects deletion.
const maxScanned = 1 << 20

// language is a row of the table of languages.
type language struct {
	name       string
	extensions []string
	// scan scans a file of the language. It sets Partial if the facts may be
	// incomplete. It is nil for a language without a scanner.
	scan func(in input) Facts
}

// languages is the table of supported languages. All other files are processed as lines.
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

// byExtension is the table of languages by file extension.
var byExtension = sync.OnceValue(func() map[string]language {
	rows := map[string]language{}
	for _, l := range languages() {
		for _, extension := range l.extensions {
			rows[extension] = l
		}
	}
	return rows
})

// languageOf returns the row for a file's extension. It returns the zero value if no row
// matches.
func languageOf(file string) language { return byExtension()[strings.ToLower(path.Ext(file))] }

// LanguageOf returns the name of a file's language, as in Facts, or "" if it is unknown.
func LanguageOf(file string) string { return languageOf(file).name }

// IsCode reports whether a file has the extension of a language with a scanner.
func IsCode(file string) bool { return languageOf(file).scan != nil }

// Scan returns the facts of a file with a name and content. For an unknown language or an
// unreadable file, it only counts lines. It never fails or panics: if the scanner panics,
// it sets Partial.
func Scan(file string, data []byte) Facts { return scan(languageOf(file), data, false) }

// Outline is a faster Scan for all files of a repository: exported names and imports. It
// returns only top-level symbols, without signature, doc and checksums, and no comments or
// code after notes. For Go files it skips the content of braces, even if it does not parse.
func Outline(file string, data []byte) Facts {
	facts := scan(languageOf(file), data, true)
	inner := func(s Symbol) bool { return s.Owner != "" }
	facts.Symbols, facts.Comments = slices.Clip(slices.DeleteFunc(facts.Symbols, inner)), nil
	return facts
}

// scan runs the scanner of a language and recovers from its panics. outline means that only the
// facts of Outline are needed.
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
// In Markdown, it is the section below the first heading with that text. In a
// language with a scanner, it is the declaration with that name (Limit,
// Server.Limit). Its checksum covers the tokens, so that formatting, comments
// and position do not matter. If several declarations have the name, the
// checksum covers all of them. In other files, and for a text that is not a
// name, the part begins at the line that declares the name, or else at the
// first line that contains the text. It ends before the next line with the same
// or less indentation. For a file larger than 1 MiB, only Exists is set.
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

// Lines returns the lines of the part that Find finds, or all lines if name is
// empty or the file is larger than 1 MiB. It returns nil if the part does not
// exist.
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

// Word returns a text that every file with the part contains. It serves as a fast filter
// before Find.
func Word(file, name string) string {
	name = strings.TrimSpace(strings.TrimLeft(name, "#"))
	if symbol := symbolOf(name); languageOf(file).scan != nil && symbolName().MatchString(symbol) {
		return symbol[strings.LastIndexByte(symbol, '.')+1:]
	}
	return name
}

// Names returns the names that Find accepts for a file, in order, without duplicates:
// headings in Markdown, and declarations in a language with a scanner. It returns nil for
// other files.
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

// sumOf returns the checksum of a text. It normalizes line ends and trims white space, so
// that the same text has the same checksum on every machine.
func sumOf(lines []string) string {
	return hexSum([]byte(strings.TrimSpace(strings.Join(lines, "\n"))))
}

// hexSum returns the SHA-256 of data in hexadecimal.
func hexSum(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// linesOf splits text into lines without line ends.
func linesOf(data []byte) []string {
	return strings.Split(strings.ReplaceAll(string(data), "\r\n", "\n"), "\n")
}
