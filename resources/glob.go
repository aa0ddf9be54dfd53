package resources

import (
	"cmp"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
)

// globMarks lists the special characters of patterns.
const globMarks = `*?[{\`

// IsGlob reports whether a pattern contains special characters.
func IsGlob(pattern string) bool { return strings.ContainsAny(pattern, globMarks) }

// GlobRoot returns the longest directory that contains every match of a pattern: the path
// elements before the first special character. "." is the repository's root. If the pattern
// has no special character, it returns the path itself.
func GlobRoot(pattern string) string {
	pattern = strings.TrimPrefix(pattern, "./")
	i := strings.IndexAny(pattern, globMarks)
	if i < 0 {
		return strings.TrimSuffix(pattern, "/")
	}
	return cmp.Or(pattern[:max(0, strings.LastIndexByte(pattern[:i], '/'))], ".")
}

// IsBelow reports whether name is the directory folder or is inside it. The
// folder "." is the repository's root.
func IsBelow(folder, name string) bool {
	rest, found := strings.CutPrefix(name, folder)
	return folder == "." || found && (rest == "" || rest[0] == '/')
}

// maxAlternatives limits the number of patterns that the braces of one glob expand to.
const maxAlternatives = 256

// MatchGlob reports whether a path matches a pattern. The path uses '/' and is relative to
// the repository's root. The pattern must match the entire path:
//
//	?        any one character within a path element
//	*        any number of characters within a path element, including zero
//	**       as an entire path element: any number of directories, including zero;
//	         at the end also everything below the directory, and the directory itself
//	[a-z]    one character of a class; [^a-z] one character outside the class
//	{a,b}    either alternative; braces can be nested
//	\c       the character c
//
// For example, "src/**" matches src and everything below it, "**/*.go" matches every Go
// file, and "*.go" only Go files in the root. A leading "./" in the path or pattern is
// ignored. A malformed pattern matches no path; CheckGlob returns the error. The running
// time is bounded by the product of both lengths, times the number of alternatives (at most
// 256).
func MatchGlob(pattern, name string) bool {
	name = strings.TrimPrefix(name, "./")
	if !IsBelow(GlobRoot(pattern), name) { // cheap test that rejects most paths
		return false
	}
	alternatives, err := expandBraces(pattern)
	if err != nil {
		return false
	}
	names := strings.Split(name, "/")
	return slices.ContainsFunc(alternatives, func(alternative string) bool {
		return matchNames(strings.Split(strings.TrimPrefix(alternative, "./"), "/"), names)
	})
}

// CheckGlob returns an error if MatchGlob cannot parse a pattern.
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

// matchNames reports whether path elements match patterns. It only backtracks
// to the last "**", because a later "**" can match everything that an earlier
// one can.
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
			if matched, _ := path.Match(patterns[p], names[n]); matched { // a malformed pattern matches no path
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

// expandBraces expands the braces of a pattern into alternatives without braces.
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

// splitBraces finds the first pair of braces. It returns the offset of the opening brace
// (-1 if there are no braces), the alternatives and the text after the closing brace.
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

// endOfClass returns the index of the ] that closes the character class that
// starts at i. If the class is not closed, the result is len(p) or greater.
func endOfClass(p string, i int) int {
	for i++; i < len(p) && p[i] != ']'; i++ {
		if p[i] == '\\' {
			i++
		}
	}
	return i
}

// MatchesAny reports whether a path matches one of several globs. A glob that has no special
// characters or ends in a slash also matches everything below the directory that it names.
// A malformed glob matches no path; validation reports it.
func MatchesAny(name string, globs []string) bool {
	return slices.ContainsFunc(globs, func(glob string) bool {
		folder, slash := strings.CutSuffix(glob, "/")
		return MatchGlob(glob, name) || folder != "" && (slash || !IsGlob(glob)) && MatchGlob(folder+"/**/*", name)
	})
}
