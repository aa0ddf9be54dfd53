package resources

import (
	"cmp"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
)

// globMarks are the characters that make a pattern of a path.
const globMarks = `*?[{\`

// IsGlob reports whether a pattern can match other paths than itself.
func IsGlob(pattern string) bool { return strings.ContainsAny(pattern, globMarks) }

// GlobRoot returns the one path that a pattern can match, or that of a folder in which all are that it
// matches: the names before the first one with a mark in it. "." is the repository's root.
func GlobRoot(pattern string) string {
	pattern = strings.TrimPrefix(pattern, "./")
	i := strings.IndexAny(pattern, globMarks)
	if i < 0 {
		return strings.TrimSuffix(pattern, "/")
	}
	return cmp.Or(pattern[:max(0, strings.LastIndexByte(pattern[:i], '/'))], ".")
}

// IsBelow reports whether a path is a folder or in it; "." is the repository's root.
func IsBelow(folder, name string) bool {
	rest, found := strings.CutPrefix(name, folder)
	return folder == "." || found && (rest == "" || rest[0] == '/')
}

// maxAlternatives is how many patterns the braces of one glob may stand for.
const maxAlternatives = 256

// MatchGlob reports whether a path, with '/' and relative to the repository's
// root, matches a pattern. The pattern must match all of it:
//
//	?        any one character within a name
//	*        any run of characters within a name, also none
//	**       as a whole name: any number of folders, also none; at the end
//	         everything below, and the folder itself
//	[a-z]    one character of a class, [^a-z] one that is not in it
//	{a,b}    either of them; braces may stand in braces
//	\c       the character c itself
//
// So "src/**" matches src and everything below it, "**/*.go" every Go file, and
// "*.go" only those in the root. A leading "./" in either is ignored. A malformed
// pattern matches nothing; CheckGlob says what is wrong with it. The time it takes
// is bounded by the product of both lengths (times the alternatives, 256 at most),
// however many stars there are.
func MatchGlob(pattern, name string) bool {
	name = strings.TrimPrefix(name, "./")
	if !IsBelow(GlobRoot(pattern), name) { // most names, and at no cost
		return false
	}
	alternatives, err := expandBraces(pattern)
	if err != nil {
		return false
	}
	names := strings.Split(name, "/")
	for _, alternative := range alternatives {
		if matchNames(strings.Split(strings.TrimPrefix(alternative, "./"), "/"), names) {
			return true
		}
	}
	return false
}

// CheckGlob reports what is wrong with a pattern, nil if MatchGlob understands it.
func CheckGlob(pattern string) error {
	if pattern == "" {
		return errors.New("a pattern must not be empty")
	}
	alternatives, err := expandBraces(pattern)
	if err != nil {
		return err
	}
	for _, alternative := range alternatives {
		for part := range strings.SplitSeq(alternative, "/") {
			if _, err := path.Match(part, ""); err != nil {
				return fmt.Errorf("%q is no valid pattern: a '[' needs its ']' and a '\\' something after it", pattern)
			}
		}
	}
	return nil
}

// matchNames matches name by name. Only the last "**" met is ever tried again
// with more names, because whatever an earlier one could take, it can take too.
func matchNames(patterns, names []string) bool {
	p, n := 0, 0
	retryPattern, retryName := -1, 0
	for n < len(names) {
		if p < len(patterns) && patterns[p] == "**" {
			p++
			retryPattern, retryName = p, n
			continue
		}
		if p < len(patterns) {
			if matched, _ := path.Match(patterns[p], names[n]); matched { // a broken pattern matches nothing
				p++
				n++
				continue
			}
		}
		if retryPattern < 0 {
			return false
		}
		retryName++
		p, n = retryPattern, retryName
	}
	for p < len(patterns) && patterns[p] == "**" {
		p++
	}
	return p == len(patterns)
}

// expandBraces returns the patterns without braces that a pattern stands for.
func expandBraces(pattern string) ([]string, error) {
	done := []string{}
	for todo := []string{pattern}; len(todo) > 0; {
		p := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		open, parts, rest, err := splitBraces(p)
		if err != nil {
			return nil, fmt.Errorf("%q is no valid pattern: %w", pattern, err)
		}
		if open < 0 {
			done = append(done, p)
			continue
		}
		for _, part := range parts {
			todo = append(todo, p[:open]+part+rest)
		}
		if len(done)+len(todo) > maxAlternatives {
			return nil, fmt.Errorf("%q is no valid pattern: its braces stand for more than %d patterns", pattern, maxAlternatives)
		}
	}
	return done, nil
}

// splitBraces finds the first pair of braces: where it opens (-1: nowhere), the
// alternatives in it, and what comes after it.
func splitBraces(p string) (open int, parts []string, rest string, err error) {
	open, depth, start := -1, 0, 0
	for i := 0; i < len(p); i++ {
		switch c := p[i]; {
		case c == '\\':
			i++
		case c == '[':
			i = endOfClass(p, i)
		case c == '{' && depth == 0:
			open, depth, start = i, 1, i+1
		case c == '{':
			depth++
		case c == ',' && depth == 1:
			parts = append(parts, p[start:i])
			start = i + 1
		case c == '}' && depth > 0:
			if depth--; depth == 0 {
				return open, append(parts, p[start:i]), p[i+1:], nil
			}
		}
	}
	if depth > 0 {
		return 0, nil, "", errors.New("a '{' needs its '}'")
	}
	return -1, nil, "", nil
}

// endOfClass returns where the class that opens at i ends; the end of p if nowhere.
func endOfClass(p string, i int) int {
	for i++; i < len(p) && p[i] != ']'; i++ {
		if p[i] == '\\' {
			i++
		}
	}
	return i
}

// MatchesAny reports whether a path meets one of some globs; one that ends in a slash is a folder, and
// all below it meets it. A glob that is broken matches nothing; validation reports it.
func MatchesAny(name string, globs []string) bool {
	return slices.ContainsFunc(globs, func(glob string) bool {
		return MatchGlob(glob, name) || strings.HasSuffix(glob, "/") && strings.HasPrefix(name, glob)
	})
}
