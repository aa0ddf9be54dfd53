package packages

import (
	"strconv"
	"strings"
)

// Package is one package by the name that its registry knows it under.
type Package struct {
	Name    string
	Version string // as it is stated: "^15.2", "16", ">=1.0"; "" for none
}

// String is the package as a command names it.
func (p Package) String() string {
	if p.Version == "" {
		return p.Name
	}
	return p.Name + "@" + p.Version
}

// Named reads what a decision says of a package: moment, next@<16, @types/node@20.
func Named(text string) Package {
	text = strings.TrimSpace(text)
	if at := strings.LastIndexByte(text, '@'); at > 0 {
		return Package{strings.TrimSpace(text[:at]), strings.TrimSpace(text[at+1:])}
	}
	return Package{Name: text}
}

// Is reports whether a package is the one that somebody names, in a version that they mean: in any
// where they state none. A version that the package does not state is none that they mean. So is a
// module of Go with its major version behind its path, and an artifact of Maven by its last name.
func (p Package) Is(named Package) bool {
	return sameName(p.Name, named.Name) && (named.Version == "" || within(p, named.Version))
}

func sameName(name, named string) bool {
	name, named = normal(name), normal(named)
	if name == named {
		return true
	}
	path, major, versioned := cutMajor(name)
	if versioned && path == named && major != "" {
		return true
	}
	_, artifact, ofGroup := strings.Cut(name, ":")
	return ofGroup && artifact == named
}

// normal spells a name as registries compare it: in lower case, and "-", "_" and "." alike in names
// that have neither a path nor a scope.
func normal(name string) string {
	name = strings.ToLower(name)
	if strings.ContainsAny(name, "/@:") {
		return name
	}
	return strings.NewReplacer("_", "-", ".", "-").Replace(name)
}

// cutMajor takes /v2 off a module's path.
func cutMajor(name string) (path, major string, ok bool) {
	at := strings.LastIndex(name, "/v")
	if at < 0 {
		return name, "", false
	}
	if _, err := strconv.Atoi(name[at+2:]); err != nil {
		return name, "", false
	}
	return name[:at], name[at+2:], true
}

// operators of versions, the longer ones first.
var operators = [...]string{"===", "==", ">=", "<=", "~=", "~>", "!=", "^", "~", ">", "<", "="}

// operator takes the operator off a version; "" for none.
func operator(version string) (op, rest string) {
	version = strings.TrimSpace(version)
	for _, op := range operators {
		if rest, ok := strings.CutPrefix(version, op); ok {
			return op, strings.TrimSpace(rest)
		}
	}
	return "", version
}

// within reports whether the version that a package states lies in a range, as far as its first
// numbers tell: a bound states as many of them as are compared.
func within(p Package, bound string) bool {
	op, rest := operator(bound)
	want := numbers(rest)
	have := stated(p)
	if len(want) == 0 || len(have) == 0 {
		return false
	}
	order := compare(have, want)
	switch op {
	case "<":
		return order < 0
	case "<=":
		return order <= 0
	case ">":
		return order > 0
	case ">=":
		return order >= 0
	case "!=":
		return order != 0
	}
	return order == 0
}

// stated are the first numbers of the version that a package states: of a bound from above, those just
// below it.
func stated(p Package) []int {
	op, rest := operator(p.Version)
	have := numbers(rest)
	if len(have) == 0 {
		if _, major, ok := cutMajor(p.Name); ok {
			have = numbers(major)
		}
	}
	if op == "<" && len(have) > 0 && !strings.Contains(p.Version, ">") {
		have = []int{have[0] - 1}
	}
	return have
}

// maxNumber bounds the numbers of a version: some are dates.
const maxNumber = 1 << 30

// numbers are those that a version begins with, three at most: "v1.2.x" has 1 and 2.
func numbers(version string) (all []int) {
	version = strings.TrimPrefix(strings.TrimPrefix(version, "v"), "V")
	for len(all) < 3 {
		end := 0
		for end < len(version) && version[end] >= '0' && version[end] <= '9' {
			end++
		}
		n, err := strconv.Atoi(version[:end])
		if err != nil || n > maxNumber {
			return all
		}
		all = append(all, n)
		rest, more := strings.CutPrefix(version[end:], ".")
		if !more {
			return all
		}
		version = rest
	}
	return all
}

// compare orders versions by as many numbers as the second states; one that is not stated is 0.
func compare(have, want []int) int {
	for i, n := range want {
		m := 0
		if i < len(have) {
			m = have[i]
		}
		if m != n {
			return m - n
		}
	}
	return 0
}
