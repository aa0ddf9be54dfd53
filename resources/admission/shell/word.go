package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// static returns what a word amounts to if that can be told without running
// anything: literals and quotes. Globs, "~", braces and every expansion are not.
func static(word *syntax.Word) (string, bool) {
	if word == nil {
		return "", false
	}
	var b strings.Builder
	for i, part := range word.Parts {
		switch p := part.(type) {
		case *syntax.Lit:
			if i == 0 && strings.HasPrefix(p.Value, "~") || hasPattern(p.Value) {
				return "", false
			}
			b.WriteString(unescape(p.Value))
		case *syntax.SglQuoted:
			if p.Dollar {
				return "", false
			}
			b.WriteString(p.Value)
		case *syntax.DblQuoted:
			text, ok := quoted(p)
			if !ok {
				return "", false
			}
			b.WriteString(text)
		default:
			return "", false
		}
	}
	return b.String(), true
}

// quoted is the content of double quotes, if it is literal.
func quoted(q *syntax.DblQuoted) (string, bool) {
	if q.Dollar {
		return "", false
	}
	var b strings.Builder
	for _, part := range q.Parts {
		lit, ok := part.(*syntax.Lit)
		if !ok {
			return "", false
		}
		b.WriteString(unescapeQuoted(lit.Value))
	}
	return b.String(), true
}

// hasPattern reports whether the shell would expand an unquoted literal.
func hasPattern(s string) bool {
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '*', '?', '[', '{':
			return true
		}
	}
	return false
}

// unescape takes the backslashes out of an unquoted literal.
func unescape(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) {
			i++
			if s[i] == '\n' {
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// unescapeQuoted takes out those that count inside double quotes.
func unescapeQuoted(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) && strings.IndexByte("$`\"\\\n", s[i+1]) >= 0 {
			i++
			if s[i] == '\n' {
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// fromHome takes "~/" or "$HOME/" off the front of a word.
func fromHome(word *syntax.Word) (rest *syntax.Word, ok bool) {
	if word == nil || len(word.Parts) == 0 {
		return word, false
	}
	parts := word.Parts
	switch p := parts[0].(type) {
	case *syntax.Lit:
		tail, tilde := strings.CutPrefix(p.Value, "~/")
		if !tilde {
			return word, false
		}
		return &syntax.Word{Parts: append([]syntax.WordPart{&syntax.Lit{Value: tail}}, parts[1:]...)}, true
	case *syntax.ParamExp:
		if isHome(p) {
			return &syntax.Word{Parts: parts[1:]}, true
		}
	case *syntax.DblQuoted:
		if len(p.Parts) == 0 {
			return word, false
		}
		if e, is := p.Parts[0].(*syntax.ParamExp); is && isHome(e) {
			inner := &syntax.DblQuoted{Parts: p.Parts[1:]}
			return &syntax.Word{Parts: append([]syntax.WordPart{inner}, parts[1:]...)}, true
		}
	}
	return word, false
}

// isHome tells $HOME and ${HOME} from every other expansion.
func isHome(p *syntax.ParamExp) bool {
	return p.Param != nil && p.Param.Value == "HOME" && p.Exp == nil && p.Slice == nil && p.Repl == nil && p.Index == nil && !p.Length && !p.Excl
}
