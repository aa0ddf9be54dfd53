package migrate

import (
	"cmp"
	"strings"
	"unicode"

	"github.com/idumb-dev/idumb/resources"
)

// language takes the languages, if they are not known yet.
func (b *Builder) language(spec *resources.ConfigSpec, r *Record) {
	v, ok := r.Peek("language")
	if !ok {
		return
	}
	if v.Type != Object {
		if word := peekText(r, "language"); isLanguage(word) && (spec.Language.Communication == "" || spec.Language.Communication == word) {
			spec.Language.Communication = r.Text("language")
		}
		return
	}
	l := NewRecord("", v)
	said := resources.Language{Communication: l.Text("communication"), Documents: l.Text("documents")}
	if !isLanguage(cmp.Or(said.Communication, said.Documents)) || !isLanguage(cmp.Or(said.Documents, said.Communication)) {
		return
	}
	if spec.Language == (resources.Language{}) {
		spec.Language = said
	}
	if spec.Language == said && len(l.Rest()) == 0 {
		r.Take("language")
	}
}

// isLanguage reports whether a text can be the name of a language: a word or two. It stands
// in the rules that agents are given, so a sentence of an older tool's file must not.
func isLanguage(text string) bool {
	foreign := func(c rune) bool {
		return !unicode.IsLetter(c) && !unicode.IsMark(c) && !strings.ContainsRune(" -_()", c)
	}
	words := len(strings.Fields(text))
	return 0 < words && words <= 2 && len(text) <= 64 && !strings.ContainsFunc(text, foreign)
}
