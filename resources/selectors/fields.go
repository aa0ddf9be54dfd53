package selectors

import (
	"fmt"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources/jsonpath"
)

// Fields is a field selector: status.phase=ready,spec.priority!=low over any
// field that -o json prints. All of its terms must hold; nil selects everything.
// It must not be used by two goroutines at once.
type Fields []fieldTerm

type fieldTerm struct {
	name  string // of the field, as written
	path  *jsonpath.Template
	value string
	not   bool
}

// Matches reports whether the object meets every term. A list meets = if one of
// its items does; a field that is missing is "".
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

// Names returns the fields that the selector looks at, as they were written.
func (f Fields) Names() []string {
	names := make([]string, len(f))
	for i, term := range f {
		names[i] = term.name
	}
	return names
}

// ParseFields reads terms field=value, field==value and field!=value, joined with
// commas; \ takes the next character as it is (\, is a comma in a value).
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
	path, err := jsonpath.ParsePath(field)
	if err != nil {
		return fieldTerm{}, err
	}
	return fieldTerm{name: field, path: path.Flatten(), value: unescape(value), not: not}, nil // a list means each of its items
}

// splitEscaped splits at the commas that no backslash stands before.
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
