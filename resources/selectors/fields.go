package selectors

import (
	"fmt"
	"slices"
	"strings"
)

// Fields is a field selector such as status.phase=ready,spec.priority!=low. It can use any
// field of the JSON output. All terms must match; nil selects everything. It is not safe
// for concurrent use.
type Fields []fieldTerm

// fieldTerm is one condition of a field selector.
type fieldTerm struct {
	name  string // field name as written
	path  *Template
	value string
	not   bool
}

// Matches reports whether the object matches every term. A list matches = if one of its
// items does. A missing field is "".
func (f Fields) Matches(object any) bool {
	for _, term := range f {
		found := term.path.Strings(object)
		holds := slices.Contains(found, term.value) || len(found) == 0 && term.value == ""
		if holds == term.not {
			return false
		}
	}
	return true
}

// Names returns the fields of the selector as written.
func (f Fields) Names() []string {
	names := make([]string, len(f))
	for i, term := range f {
		names[i] = term.name
	}
	return names
}

// ParseFields parses comma-separated terms field=value, field==value and field!=value. A
// backslash escapes the next character, for example a comma in a value.
func ParseFields(selector string) (Fields, error) {
	var fields Fields
	for _, part := range splitEscaped(selector) {
		if strings.TrimSpace(part) == "" {
			continue
		}
		term, err := parseTerm(part)
		if err != nil {
			return nil, fmt.Errorf("invalid field selector %q: %w; for example --field-selector status.phase=blocked,spec.priority!=low", selector, err)
		}
		fields = append(fields, term)
	}
	return fields, nil
}

// parseTerm parses field=value, field==value or field!=value.
func parseTerm(part string) (fieldTerm, error) {
	at := strings.IndexByte(part, '=')
	if at < 0 {
		return fieldTerm{}, fmt.Errorf("%q is neither field=value nor field!=value", part)
	}
	field, value := part[:at], strings.TrimPrefix(part[at+1:], "=")
	field, not := strings.CutSuffix(field, "!")
	field = strings.TrimSpace(field)
	if field == "" {
		return fieldTerm{}, fmt.Errorf("the name of a field is missing")
	}
	path, err := ParsePath(field)
	if err != nil {
		return fieldTerm{}, err
	}
	return fieldTerm{name: field, path: path.Flatten(), value: unescape(value), not: not}, nil // a list matches if one of its items does
}

// splitEscaped splits at commas without a preceding backslash.
func splitEscaped(s string) []string {
	var parts []string
	start := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case ',':
			parts = append(parts, s[start:i])
			start = i + 1
		}
	}
	return append(parts, s[start:])
}

// unescape removes backslashes before other characters.
func unescape(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) {
			i++
		}
		b.WriteByte(s[i])
	}
	return b.String()
}
