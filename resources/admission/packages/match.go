package packages

import (
	"strconv"
	"strings"
)

// Package is a package with its name in the registry.
type Package struct {
	Name    string
	Version string // as written: "^15.2", "16", ">=1.0"; may be empty
}

// String formats the package as in a command.
func (p Package) String() string {
	if p.Version == "" {
		return p.Name
	}
	return p.Name + "@" + p.Version
}

// Named parses a package in a decision: moment, next@<16, @types/node@20.
func Named(text string) Package {
	text = strings.TrimSpace(text)
	if at := strings.LastIndexByte(text, '@'); at > 0 {
		return Package{strings.TrimSpace(text[:at]), strings.TrimSpace(text[at+1:])}
	}
	return Package{Name: text}
}

// Is reports whether a package matches a named one. A name without version matches all
// versions. A package without version matches no version. Go modules with a major version
// suffix and the last name of Maven artifacts match too.
func (p Package) Is(named Package) bool {
	return sameName(p.Name, named.Name) && (named.Version == "" || satisfies(p, named.Version))
}

// sameName reports whether a package name equals the named one after normalization, without a major
// version suffix, or as the artifact of a Maven group.
func sameName(name, named string) bool {
	name, named = normal(name), normal(named)
	if name == named {
		return true
	}
	if path, major, versioned := cutMajor(name); versioned && path == named && major != "" {
		return true
	}
	_, artifact, ofGroup := strings.Cut(name, ":")
	return ofGroup && artifact == named
}

// normal normalizes a name like registries do: lower case, with "-", "_" and "." equal in
// names without path and scope.
func normal(name string) string {
	name = strings.ToLower(name)
	if strings.ContainsAny(name, "/@:") {
		return name
	}
	return strings.NewReplacer("_", "-", ".", "-").Replace(name)
}

// cutMajor removes /v2 from a module path.
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

// operators lists the version operators, longer ones first.
var operators = [...]string{"===", "==", ">=", "<=", "~=", "~>", "!=", "^", "~", ">", "<", "="}

// operator splits the operator from a version. It returns "" if there is no operator.
func operator(version string) (op, rest string) {
	version = strings.TrimSpace(version)
	for _, op := range operators {
		if rest, ok := strings.CutPrefix(version, op); ok {
			return op, strings.TrimSpace(rest)
		}
	}
	return "", version
}

// satisfies reports whether the version of a package is in a range. Only as many numbers are
// compared as the bound has.
func satisfies(p Package, bound string) bool {
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

// stated returns the first numbers of a package's version. For an upper bound it returns
// the numbers just below it.
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

// maxNumber is the maximum of a version number; some are dates.
const maxNumber = 1 << 30

// numbers returns up to three leading numbers of a version: 1 and 2 for "v1.2.x".
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

// compare compares versions by the numbers of the second one. Missing numbers are 0.
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
