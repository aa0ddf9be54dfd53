package source

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/idumb-dev/idumb/resources"
)

// declaration is a declaration at top level, or a method.
type declaration struct {
	owner, name string
	sum         string // over its tokens; "" where the file does not parse just there
}

// full is the name with its owner.
func (d declaration) full() string {
	if d.owner == "" {
		return d.name
	}
	return d.owner + "." + d.name
}

// scan lists the declarations of a file, and says whether they are all: of a file that
// does not parse some may be missing.
type scan func(data []byte) (all []declaration, whole bool)

// symbolName is compiled when it is first asked for: that costs every command half a millisecond.
var symbolName = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[\pL_][\pL\pN_]*(\.[\pL_][\pL\pN_]*)?$`)
})

// declared finds a declaration by its name, or a line by a text that is no name. Under
// Former is what the first line that holds the name begins: older releases watched that.
func declared(read scan) func(data []byte, name string) resources.Part {
	return func(data []byte, name string) resources.Part {
		symbol, first := symbolOf(name), firstSum(linesOf(data), name)
		if !symbolName().MatchString(symbol) {
			return resources.Part{Exists: first != "", SHA256: first, Mentioned: first != ""}
		}
		part := resources.Part{Declaration: true, Former: first}
		all, whole := read(data)
		var sums []string
		for _, d := range called(all, symbol) {
			part.Exists = true
			part.Names = append(part.Names, d.full())
			sums = append(sums, d.sum)
		}
		switch {
		case len(sums) == 1:
			part.SHA256 = sums[0]
		case len(sums) > 1 && !slices.Contains(sums, ""):
			slices.Sort(sums)
			part.SHA256 = hexSum([]byte(strings.Join(sums, "")))
		case !whole:
			part.Exists = true // nobody can tell as long as the file does not parse
		}
		return part
	}
}

// called are the declarations of that name in full, else the methods that are called so.
func called(all []declaration, symbol string) []declaration {
	named := func(name func(declaration) string) []declaration {
		return slices.DeleteFunc(slices.Clone(all), func(d declaration) bool { return name(d) != symbol })
	}
	if exact := named(declaration.full); len(exact) > 0 {
		return exact
	}
	return named(func(d declaration) string { return d.name })
}

func declaredNames(read scan) func(data []byte) []string {
	return func(data []byte) []string {
		all, _ := read(data)
		var names []string
		for _, d := range all {
			names = append(names, d.full())
		}
		return names
	}
}

// symbolOf is the name of a declaration as its file spells it, from what people write:
// Limit() and (*Server).Limit are Limit and Server.Limit.
func symbolOf(name string) string {
	name = strings.TrimSuffix(strings.TrimSpace(name), "()")
	return strings.NewReplacer("(*", "", "(", "", ")", "").Replace(name)
}
