package findings

import (
	"slices"
	"strings"
	"unicode"

	"github.com/idumb-dev/idumb/resources/project"
	"github.com/idumb-dev/idumb/resources/source"
)

// params are the parameters that the doc of a function names and the function has not.
func (f *file) params() (all []Finding) {
	if project.IsTest(f.path) { // what a mock is given is told above who makes it
		return nil
	}
	for _, c := range f.facts.Comments {
		s, found := f.documented(c)
		if !found || s.Kind != source.Function && s.Kind != source.Method {
			continue
		}
		has, known := parameters(s.Signature)
		if !known {
			continue
		}
		for text := range strings.Lines(c.Text) {
			name := paramIn(strings.TrimSpace(text), f.facts.Language)
			if name == "" || slices.Contains(has, name) || slices.Contains(has, "_"+name) || f.takesApart(s, name) {
				continue
			}
			has = append(has, name) // once, however many parts of it are told
			line := f.near(c.From, c.To, strings.TrimSpace(text))
			all = append(all, Finding{Rule: Param, File: f.path, Line: line, Symbol: s.Full(), Words: text, Is: s.Full() + " has no parameter " + name, Evidence: at(f.path, s)})
		}
	}
	return all
}

// takesApart reports whether a function may be given what its signature does not name: in PHP by func_get_arg, told
// of in a comment of the signature; in JavaScript by arguments.
func (f *file) takesApart(s source.Symbol, name string) bool {
	word := map[string]string{"PHP": name, "JavaScript": "arguments", "TypeScript": "arguments"}[f.facts.Language]
	return word != "" && slices.ContainsFunc(f.lines[min(s.From-1, len(f.lines)):min(s.To, len(f.lines))], func(line string) bool { return strings.Contains(line, word) })
}

// documented is the one declaration that a doc stands above, or whose docstring it is; false where
// several have its name.
func (f *file) documented(c source.Comment) (one source.Symbol, found bool) {
	same := f.named[c.Symbol]
	if !c.Doc || len(same) != 1 {
		return one, false
	}
	one = same[0]
	return one, one.From == c.To+1 || c.From >= one.From && c.To <= one.To
}

// parameters are the names in the brackets of a signature, of types and defaults too; false where it is not whole, or takes
// what it does not name.
func parameters(signature string) (names []string, known bool) {
	_, inner, found := strings.Cut(signature, "(")
	if !found || strings.HasSuffix(signature, "…") || strings.ContainsAny(inner, "{[") || strings.Contains(inner, "**") || strings.Contains(inner, "...") {
		return nil, false // names of what is taken apart may be any
	}
	names = strings.FieldsFunc(signature, func(r rune) bool { return !isName(r) })
	return names, true
}

func isName(r rune) bool { return r == '_' || r == '$' || unicode.IsLetter(r) || unicode.IsDigit(r) }

// paramIn is the parameter that a line of a doc tells of; "" for none.
func paramIn(line, language string) string {
	switch language {
	case "Python":
		rest, found := strings.CutPrefix(line, ":param ")
		if !found {
			return ""
		}
		named, _, found := strings.Cut(rest, ":")
		words := strings.Fields(named)
		if !found || len(words) == 0 {
			return ""
		}
		return plainName(strings.TrimLeft(words[len(words)-1], "*"))
	case "C#":
		_, rest, found := strings.Cut(line, `<param name="`)
		name, _, closed := strings.Cut(rest, `"`)
		if !found || !closed {
			return ""
		}
		return plainName(name)
	case "TypeScript", "JavaScript", "Java", "PHP":
		rest, found := strings.CutPrefix(line, "@param ")
		if !found {
			return ""
		}
		return tagged(strings.TrimSpace(rest), language)
	}
	return ""
}

// tagged is the name behind @param: "{string} [name=1]", "name.part", "string $name", "name - what".
func tagged(rest, language string) string {
	if language == "PHP" {
		rest = behind(rest, " ", "$")
	} else if strings.HasPrefix(rest, "{") {
		rest = strings.TrimSpace(behind(rest, "}", ""))
	}
	word, _, _ := strings.Cut(strings.TrimLeft(rest, "[."), " ")
	word, _, _ = strings.Cut(word, "=")
	word, _, _ = strings.Cut(word, ".")
	return plainName(strings.TrimRight(word, "],:-"))
}

// behind is what stands behind the first end of a type, brackets in it skipped, where it begins with next; "" if nothing does.
func behind(text, end, next string) string {
	depth := 0
	for i, r := range text {
		switch {
		case strings.ContainsRune("({[<", r):
			depth++
		case strings.ContainsRune(")}]>", r):
			depth--
		}
		if rest, found := strings.CutPrefix(text[i:], end); found && depth <= 0 && strings.HasPrefix(rest, next) {
			return rest
		}
	}
	return ""
}

// plainName is a name; "" for what is none.
func plainName(name string) string {
	if strings.ContainsFunc(name, func(r rune) bool { return !isName(r) }) {
		return ""
	}
	return name
}

// verbs stand second in a doc of Go that begins with the name of what it documents, or end in s.
var verbs = [...]string{"are", "is", "was", "has"}

// otherNames are docs of Go that begin with the name of another declaration of the file: most often
// the name changed, or the declaration was copied.
func (f *file) otherNames() (all []Finding) {
	if f.facts.Language != "Go" || project.IsTest(f.path) {
		return nil
	}
	declared := map[string]source.Symbol{}
	starts := map[int]int{}
	for _, s := range f.facts.Symbols {
		declared[s.Name] = s
		starts[s.From]++
	}
	for _, c := range f.facts.Comments {
		s, found := f.documented(c)
		words := strings.Fields(c.Text)
		if !found || starts[s.From] > 1 || len(words) < 3 || s.Kind != source.Function && s.Kind != source.Method {
			continue
		}
		other, known := declared[words[0]]
		verb := slices.Contains(verbs[:], words[1]) || len(words[1]) > 3 && strings.HasSuffix(words[1], "s") && !strings.Contains(strings.ToLower(s.Name), words[1])
		if !known || !verb || strings.EqualFold(words[0], s.Name) {
			continue
		}
		all = append(all, Finding{Rule: Param, File: f.path, Line: c.From, Symbol: s.Full(), Words: c.Text, Is: "it stands above " + s.Full() + "; " + words[0] + " is another declaration", Evidence: at(f.path, other)})
	}
	return all
}
