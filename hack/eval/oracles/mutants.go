package oracles

import (
	"math/rand/v2"
	"regexp"
	"strings"
)

// change is a stretch of a line and what is put there.
type change struct {
	line, from, to int // the line counts from 0
	text           string
}

// otherToken changes one name, number or operator of a declaration, in a line without comments:
// never its own name, and not its first word, which may be its neighbours' too (var a, b).
func (f subject) otherToken(d symbol, r *rand.Rand) (string, bool) {
	var all []change
	first := true
	token := regexp.MustCompile(`[\p{L}_$][\p{L}\p{N}_$]*|[0-9]+|&&|\|\||==|!=`)
	others := map[string]string{"&&": "||", "||": "&&", "==": "!=", "!=": "=="}
	for n := d.From - 1; n < d.To; n++ {
		if f.within(n + 1) {
			continue
		}
		for _, at := range token.FindAllStringIndex(f.lines[n], -1) {
			text := f.lines[n][at[0]:at[1]]
			other, operator := others[text]
			if !operator {
				other = text + "1"
			}
			if text != base(d.Name) && !first {
				all = append(all, change{n, at[0], at[1], other})
			}
			first = false
		}
	}
	if len(all) == 0 {
		return "", false
	}
	c := all[r.IntN(len(all))]
	line := f.lines[c.line]
	return f.with(c.line+1, c.line+1, line[:c.from]+c.text+line[c.to:]), true
}

// renamed renames a declaration, and what it says of itself.
func (f subject) renamed(d symbol) (string, bool) {
	name := base(d.Name)
	word := regexp.MustCompile(`(^|[^\p{L}\p{N}_$])` + regexp.QuoteMeta(name) + `($|[^\p{L}\p{N}_$])`)
	lines := strings.Join(f.lines[d.From-1:d.To], "\n")
	if !word.MatchString(lines) {
		return "", false
	}
	return f.with(d.From, d.To, word.ReplaceAllString(lines, "${1}"+name+"Renamed${2}")), true
}

// commented has a comment before its last line, where that only closes what others opened.
func (f subject) commented(d symbol) (string, bool) {
	last := f.lines[d.To-1]
	closes := strings.Trim(last, " \t})];,") == "" && strings.TrimSpace(last) != "" || strings.TrimSpace(last) == "end"
	if d.From == d.To || !closes && f.comment("") != "# " || f.longStrings(d.From, d.To) || f.within(d.To) {
		return "", false
	}
	return f.with(d.To, d.To-1, f.comment(base(d.Name)+" was 3 {")), true
}

// indented is the file with twice the blanks before each line.
func (f subject) indented() (string, bool) {
	var b strings.Builder
	for n, line := range f.lines {
		if n > 0 {
			b.WriteByte('\n')
		}
		text := strings.TrimLeft(line, " \t")
		b.WriteString(line[:len(line)-len(text)] + line)
	}
	return b.String(), !f.longStrings(1, len(f.lines))
}
