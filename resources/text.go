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
