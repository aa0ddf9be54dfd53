package source

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/idumb-dev/idumb/resources"
)

// symbolName is compiled lazily: compilation takes half a millisecond at the start of every
// command.
var symbolName = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[\pL_$#~][\pL\pN_$]*[?!=]?(\.[\pL_$#~][\pL\pN_$]*[?!=]?)*$`)
})

// declared finds a declaration by its name, or a line by a text that is not a name. Formers
// contains the checksums that older releases computed: from the first line with the name
// and its block.
func declared(file string, data []byte, name string) resources.Part {
	symbol, lines, facts := symbolOf(name), block(data, name), Scan(file, data)
	found := called(facts.Symbols, symbol)
	if len(found) == 0 && !symbolName().MatchString(symbol) {
		if found = called(facts.Symbols, name); len(found) == 0 {
			first := firstSum(linesOf(data), name)
			return resources.Part{Exists: first != "", SHA256: first, Mentioned: first != ""}
		}
	}
	part := resources.Part{Declaration: true, Formers: lines.Formers}
	if lines.SHA256 != "" {
		part.Formers = append(part.Formers, lines.SHA256)
	}
	var sums []string
	for _, s := range found {
		part.Exists = true
		part.Names = append(part.Names, s.Full())
		sums = append(sums, s.Body)
	}
	switch {
	case len(sums) == 1:
		part.SHA256 = sums[0]
	case len(sums) > 1 && !slices.Contains(sums, ""):
		slices.Sort(sums)
		part.SHA256 = hexSum([]byte(strings.Join(sums, "")))
	case facts.Partial != "":
		part.Exists = true // unknown while the file does not parse
	}
	return part
}

// declaredLines returns the lines of the declarations of a name, or nil if there are none.
func declaredLines(file string, data []byte, name string) (found []string) {
	lines, facts := linesOf(data), Scan(file, data)
	for _, s := range called(facts.Symbols, symbolOf(name)) {
		if s.From > 0 && s.From <= s.To && s.To <= len(lines) {
			found = append(found, lines[s.From-1:s.To]...)
		}
	}
	return found
}

// called returns the declarations with a full name. If there are none, it returns those
// with that name and any owner.
func called(all []Symbol, symbol string) (found []Symbol) {
	for _, s := range all {
		if s.Full() == symbol {
			found = append(found, s)
		}
	}
	if len(found) > 0 {
		return found
	}
	for _, s := range all {
		if strings.HasSuffix(s.Full(), "."+symbol) {
			found = append(found, s)
		}
	}
	return found
}

// declaredNames returns the full names of all declarations.
func declaredNames(facts Facts) []string {
	names := make([]string, len(facts.Symbols))
	for i, s := range facts.Symbols {
		names[i] = s.Full()
	}
	return names
}

// symbolOf converts common notations of a declaration's name to the file's own notation.
// Limit(), (*Server).Limit and Server::limit become Limit, Server.Limit and Server.limit.
func symbolOf(name string) string {
	name = strings.TrimSuffix(strings.TrimSpace(name), "()")
	return strings.NewReplacer("(*", "", "(", "", ")", "", "::", ".").Replace(name)
}
