package command

import (
	"strconv"
	"strings"
)

// hasBraces reports whether a part may hold a list in braces.
func hasBraces(p part) bool {
	return p.kind == plainText && !p.quoted && strings.IndexByte(string(p.bytes), '{') >= 0
}

// braces expands {a,b} and {1..3}: the words that a word stands for.
func braces(parts []part) [][]part {
	first, last := -1, -1
	for i, p := range parts {
		if p.kind != plainText || p.quoted {
			continue
		}
		if first < 0 && strings.IndexByte(string(p.bytes), '{') >= 0 {
			first = i
		}
		if strings.IndexByte(string(p.bytes), '}') >= 0 {
			last = i
		}
	}
	if first < 0 || last < first {
		return [][]part{parts}
	}
	b := bracer{parts: parts}
	return b.expand(0)
}

// bracer walks a word byte by byte; what is quoted or expands counts as one.
type bracer struct {
	parts []part
	count int
}

// atom is a byte of unquoted text, or a whole part.
type atom struct {
	c byte
	p *part
}

func (b *bracer) expand(int) [][]part {
	var atoms []atom
	for i := range b.parts {
		p := &b.parts[i]
		if p.kind == plainText && !p.quoted {
			for _, c := range p.bytes {
				atoms = append(atoms, atom{c: c})
			}
		} else {
			atoms = append(atoms, atom{p: p})
		}
	}
	if len(atoms) > 4096 {
		return [][]part{b.parts}
	}
	var all [][]part
	for _, a := range b.lists(atoms, 0) {
		var w word
		for _, x := range a {
			if x.p != nil {
				w.parts = append(w.parts, *x.p)
			} else {
				w.lit(string([]byte{x.c}), false)
			}
		}
		all = append(all, w.parts)
	}
	return all
}

// maxBraces is how many words braces may make.
const maxBraces = 64

// lists expands the first list in braces, and then what came of it.
func (b *bracer) lists(atoms []atom, depth int) [][]atom {
	for i, a := range atoms {
		if a.p != nil || a.c != '{' || depth > 8 {
			continue
		}
		end, items := inBraces(atoms, i)
		if items == nil {
			continue
		}
		var all [][]atom
		for _, item := range items {
			if b.count++; b.count > maxBraces {
				break
			}
			joined := append(append(append([]atom(nil), atoms[:i]...), item...), atoms[end+1:]...)
			all = append(all, b.lists(joined, depth+1)...)
		}
		return all
	}
	return [][]atom{atoms}
}

// inBraces finds the end of a list that opens at i, and its items; none if it is no list.
func inBraces(atoms []atom, i int) (end int, items [][]atom) {
	depth, from := 0, i+1
	for j := i + 1; j < len(atoms); j++ {
		if atoms[j].p != nil {
			continue
		}
		switch atoms[j].c {
		case '{':
			depth++
		case ',':
			if depth == 0 {
				items, from = append(items, atoms[from:j]), j+1
			}
		case '}':
			if depth > 0 {
				depth--
				continue
			}
			if items == nil {
				return j, sequence(atoms[i+1 : j])
			}
			return j, append(items, atoms[from:j])
		}
	}
	return 0, nil
}

// sequence reads 1..3 and a..c.
func sequence(atoms []atom) [][]atom {
	var text []byte
	for _, a := range atoms {
		if a.p != nil {
			return nil
		}
		text = append(text, a.c)
	}
	from, to, found := strings.Cut(string(text), "..")
	to, _, _ = strings.Cut(to, "..")
	if !found || from == "" || to == "" {
		return nil
	}
	a, errA := strconv.Atoi(from)
	z, errZ := strconv.Atoi(to)
	letter := errA != nil && errZ != nil && len(from) == 1 && len(to) == 1
	if letter {
		a, z = int(from[0]), int(to[0])
	} else if errA != nil || errZ != nil {
		return nil
	}
	step := 1
	if z < a {
		step = -1
	}
	var items [][]atom
	for n := a; len(items) < maxBraces; n += step {
		s := string([]byte{byte(n)})
		if !letter {
			s = strconv.Itoa(n)
		}
		var item []atom
		for _, c := range []byte(s) {
			item = append(item, atom{c: c})
		}
		items = append(items, item)
		if n == z {
			break
		}
	}
	return items
}
