package resources

import (
	"fmt"
	"strings"
)

// Listed joins the first texts, up to most, and counts the rest: "a, b and 3 more".
func Listed(texts []string, most int, between string) string {
	if more := len(texts) - most; more > 0 {
		return strings.Join(texts[:most], between) + fmt.Sprintf(" and %d more", more)
	}
	return strings.Join(texts, between)
}

// Shortened truncates a text to most characters. A truncated text ends with mark, which
// counts.
func Shortened(text string, most int, mark string) string {
	if len(text) <= most {
		return text
	}
	if r := []rune(text); len(r) > most {
		return strings.TrimSpace(string(r[:max(0, most-len([]rune(mark)))])) + mark
	}
	return text
}

// Distinct returns the non-empty texts without duplicates, in order.
func Distinct(texts ...string) []string {
	var once []string
	seen := map[string]bool{"": true}
	for _, text := range texts {
		if !seen[text] {
			once, seen[text] = append(once, text), true
		}
	}
	return once
}

// ShellWord returns a text as one word of a POSIX shell. It quotes the text only if necessary.
func ShellWord(text string) string {
	isPlain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("/._-+@%:", r)
	}
	if text != "" && !strings.ContainsFunc(text, func(r rune) bool { return !isPlain(r) }) {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}
