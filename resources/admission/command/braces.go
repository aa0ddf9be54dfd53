package command

import (
	"slices"
	"strconv"
	"strings"
)

// hasBraces reports whether a part may hold a list in braces.
func hasBraces(p part) bool {
	return p.kind == plainText && !p.quoted && strings.IndexByte(string(p.bytes), '{') >= 0
}

// maxBraces is how many words braces may make, and maxBraced how long a word may be.
const (
	maxBraces = 64
	maxBraced = 4096
)

// braces expands {a,b} and {1..3}: the words that a word stands for.
func braces(parts []part) [][]part {
	if !slices.ContainsFunc(parts, hasBraces) {
		return [][]part{parts}
	}
	// What is quoted or expands counts as one character: one that no text holds.
	var text []rune
	for i, p := range parts {
		if p.kind == plainText && !p.quoted {
			text = append(text, bytesAsRunes(p.bytes)...)
		} else {
			text = append(text, rune(wholePart+i))
		}
	}
	if len(text) > maxBraced {
		return [][]part{parts}
	}
	b := bracer{}
	var all [][]part
	for _, expanded := range b.lists(text, 0) {
		var w word
		for _, c := range expanded {
			if c >= wholePart {
				w.parts = append(w.parts, parts[c-wholePart])
			} else {
				w.lit(string([]byte{byte(c)}), false)
			}
		}
		all = append(all, w.parts)
	}
	return all
}

// wholePart is the first of the characters that stand for parts.
const wholePart = 0x100

func bytesAsRunes(text []byte) []rune {
	var all []rune
	for _, c := range text {
		all = append(all, rune(c))
	}
	return all
}

// bracer counts the words that it makes.
type bracer struct{ count int }

// lists expands the first list in braces, and then what came of it.
func (b *bracer) lists(text []rune, depth int) [][]rune {
	for i, c := range text {
		if c != '{' || depth > 8 {
			continue
		}
		end, items := inBraces(text, i)
		if items == nil {
			continue
		}
		var all [][]rune
		for _, item := range items {
			if b.count++; b.count > maxBraces {
				break
			}
			all = append(all, b.lists(slices.Concat(text[:i], item, text[end+1:]), depth+1)...)
		}
		return all
	}
	return [][]rune{text}
}

// inBraces finds the end of a list that opens at i, and its items; none if it is no list.
func inBraces(text []rune, i int) (end int, items [][]rune) {
	depth, from := 0, i+1
	for j := i + 1; j < len(text); j++ {
		switch c := text[j]; {
		case c == '{':
			depth++
		case c == ',' && depth == 0:
			items, from = append(items, text[from:j]), j+1
		case c == '}' && depth > 0:
			depth--
		case c == '}' && items == nil:
			return j, sequence(string(text[i+1 : j]))
		case c == '}':
			return j, append(items, text[from:j])
		}
	}
	return 0, nil
}

// sequence reads 1..3 and a..c.
func sequence(text string) [][]rune {
	from, to, found := strings.Cut(text, "..")
	to, _, _ = strings.Cut(to, "..")
	a, errA := strconv.Atoi(from)
	z, errZ := strconv.Atoi(to)
	letter := errA != nil && errZ != nil && len(from) == 1 && len(to) == 1
	if letter {
		a, z = int(from[0]), int(to[0])
	} else if !found || errA != nil || errZ != nil {
		return nil
	}
	step := 1
	if z < a {
		step = -1
	}
	var items [][]rune
	for n := a; len(items) < maxBraces && n != z+step; n += step {
		item := []rune(strconv.Itoa(n))
		if letter {
			item = []rune{rune(n)}
		}
		items = append(items, item)
	}
	return items
}
