package search

import "bytes"

// Porter2, the English stemmer of the Snowball project, as its author describes it
// (snowballstem.org, "The English (Porter2) stemming algorithm"). Our own, because the
// hook links this package; its test compares it with github.com/kljensen/snowball.

// stem cuts the endings off a word of small ASCII letters and apostrophes, within w,
// and returns what is left. Words of one or two letters stay as they are.
func stem(w []byte) []byte {
	if len(w) > 0 && w[0] == '\'' {
		w = w[1:]
	}
	if len(w) < 3 {
		return w
	}
	if whole, ok := exceptions[string(w)]; ok {
		return append(w[:0], whole...)
	}
	s := stemmer{w: w}
	s.markY()
	s.regions()
	s.possessive()
	s.plural()
	if !settled(string(s.w)) {
		s.participle()
		s.lastY()
		s.suffix(step2[:], true)
		s.suffix(step3[:], false)
		s.drop()
		s.lastE()
	}
	for i, c := range s.w {
		if c == 'Y' {
			s.w[i] = 'y'
		}
	}
	return s.w
}

// exceptions are the stems of words that the rules get wrong.
var exceptions = map[string]string{
	"skis": "ski", "skies": "sky", "dying": "die", "lying": "lie", "tying": "tie", "idly": "idl", "gently": "gentl", "ugly": "ugli",
	"early": "earli", "only": "onli", "singly": "singl",
	"sky": "sky", "news": "news", "howe": "howe", "atlas": "atlas", "cosmos": "cosmos", "bias": "bias", "andes": "andes",
}

// settled are words that only look as if they had an ending.
func settled(w string) bool {
	switch w {
	case "inning", "outing", "canning", "herring", "earring", "proceed", "exceed", "succeed":
		return true
	}
	return false
}

// stemmer is a word on its way; a Y is a consonant. r1 and r2 are where its regions
// begin: behind the first consonant after a vowel, and the same once more.
type stemmer struct {
	w      []byte
	r1, r2 int
}

func isVowel(c byte) bool {
	switch c {
	case 'a', 'e', 'i', 'o', 'u', 'y':
		return true
	}
	return false
}

func (s *stemmer) markY() {
	for i, c := range s.w {
		if c == 'y' && (i == 0 || isVowel(s.w[i-1])) {
			s.w[i] = 'Y'
		}
	}
}

func (s *stemmer) regions() {
	s.r1 = s.after(0)
	for _, prefix := range [...]string{"gener", "commun", "arsen"} {
		if bytes.HasPrefix(s.w, []byte(prefix)) {
			s.r1 = len(prefix)
		}
	}
	s.r2 = s.after(s.r1)
}

// after is where the region behind the first consonant after a vowel begins, from i on.
func (s *stemmer) after(i int) int {
	for i++; i < len(s.w); i++ {
		if isVowel(s.w[i-1]) && !isVowel(s.w[i]) {
			return i + 1
		}
	}
	return len(s.w)
}

func (s *stemmer) ends(suffix string) bool {
	return len(s.w) >= len(suffix) && string(s.w[len(s.w)-len(suffix):]) == suffix
}

// replace puts another ending in place of the last n letters.
func (s *stemmer) replace(n int, with string) { s.w = append(s.w[:len(s.w)-n], with...) }

// inR1 and inR2 report whether the last n letters stand in the region.
func (s *stemmer) inR1(n int) bool { return len(s.w)-n >= s.r1 }
func (s *stemmer) inR2(n int) bool { return len(s.w)-n >= s.r2 }

// vowelBefore reports whether there is a vowel before the last n letters.
func (s *stemmer) vowelBefore(n int) bool {
	for i := 0; i < len(s.w)-n; i++ {
		if isVowel(s.w[i]) {
			return true
		}
	}
	return false
}

// shortBefore reports whether what stands before the last n letters ends in a short syllable.
func (s *stemmer) shortBefore(n int) bool {
	w := s.w[:len(s.w)-n]
	switch last := len(w) - 1; {
	case last == 1:
		return isVowel(w[0]) && !isVowel(w[1])
	case last > 1:
		c := w[last]
		return !isVowel(w[last-2]) && isVowel(w[last-1]) && !isVowel(c) && c != 'w' && c != 'x' && c != 'Y'
	}
	return false
}

func (s *stemmer) possessive() {
	for _, suffix := range [...]string{"'s'", "'s", "'"} {
		if s.ends(suffix) {
			s.replace(len(suffix), "")
			return
		}
	}
}

func (s *stemmer) plural() {
	switch n := len(s.w); {
	case s.ends("sses"):
		s.replace(2, "")
	case s.ends("ied"), s.ends("ies"):
		if n > 4 {
			s.replace(2, "")
		} else {
			s.replace(1, "")
		}
	case s.ends("us"), s.ends("ss"):
	case s.ends("s") && s.vowelBefore(2):
		s.replace(1, "")
	}
}

func (s *stemmer) participle() {
	for _, suffix := range [...]string{"eedly", "eed"} {
		if s.ends(suffix) {
			if s.inR1(len(suffix)) {
				s.replace(len(suffix), "ee")
			}
			return
		}
	}
	for _, suffix := range [...]string{"ingly", "edly", "ing", "ed"} {
		if s.ends(suffix) {
			if s.vowelBefore(len(suffix)) {
				s.replace(len(suffix), "")
				s.mend()
			}
			return
		}
	}
}

// mend restores what an ending had changed of the word.
func (s *stemmer) mend() {
	switch n := len(s.w); {
	case s.ends("at"), s.ends("bl"), s.ends("iz"):
		s.replace(0, "e")
	case n > 1 && s.w[n-1] == s.w[n-2] && bytes.IndexByte([]byte("bdfgmnprt"), s.w[n-1]) >= 0:
		s.replace(1, "")
	case s.r1 >= n && s.shortBefore(0):
		s.replace(0, "e")
	}
}

func (s *stemmer) lastY() {
	if n := len(s.w); n > 2 && (s.w[n-1] == 'y' || s.w[n-1] == 'Y') && !isVowel(s.w[n-2]) {
		s.w[n-1] = 'i'
	}
}

// ending is a suffix and what takes its place; longer ones stand before those that
// they end in.
type ending struct{ suffix, with string }

var step2 = [...]ending{
	{"ational", "ate"}, {"ization", "ize"}, {"fulness", "ful"}, {"ousness", "ous"}, {"iveness", "ive"},
	{"tional", "tion"}, {"biliti", "ble"}, {"lessli", "less"}, {"entli", "ent"}, {"ation", "ate"}, {"alism", "al"},
	{"aliti", "al"}, {"ousli", "ous"}, {"iviti", "ive"}, {"fulli", "ful"}, {"enci", "ence"}, {"anci", "ance"}, {"abli", "able"},
	{"izer", "ize"}, {"ator", "ate"}, {"alli", "al"}, {"bli", "ble"}, {"ogi", "og"}, {"li", ""},
}

var step3 = [...]ending{
	{"ational", "ate"}, {"tional", "tion"}, {"alize", "al"}, {"icate", "ic"}, {"iciti", "ic"}, {"ative", ""}, {"ical", "ic"}, {"ness", ""}, {"ful", ""},
}

// suffix replaces the first ending of the list that the word has, if it stands in R1.
func (s *stemmer) suffix(endings []ending, second bool) {
	for i := range endings {
		e := &endings[i]
		if !s.ends(e.suffix) {
			continue
		}
		n := len(e.suffix)
		if s.inR1(n) && (!second || s.fits(e.suffix)) && (e.suffix != "ative" || s.inR2(n)) {
			s.replace(n, e.with)
		}
		return
	}
}

// fits checks what must stand before the endings ogi and li.
func (s *stemmer) fits(suffix string) bool {
	before := len(s.w) - len(suffix) - 1
	switch suffix {
	case "ogi":
		return before >= 0 && s.w[before] == 'l'
	case "li":
		return before >= 0 && bytes.IndexByte([]byte("cdeghkmnrt"), s.w[before]) >= 0
	}
	return true
}

// drop takes an ending off that stands in R2.
func (s *stemmer) drop() {
	for _, suffix := range [...]string{"ement", "ance", "ence", "able", "ible", "ment", "ant", "ent", "ism", "ate", "iti", "ous", "ive", "ize", "ion", "al", "er", "ic"} {
		if !s.ends(suffix) {
			continue
		}
		n := len(suffix)
		before := len(s.w) - n - 1
		if s.inR2(n) && (suffix != "ion" || before >= 0 && (s.w[before] == 's' || s.w[before] == 't')) {
			s.replace(n, "")
		}
		return
	}
}

func (s *stemmer) lastE() {
	switch n := len(s.w); {
	case s.ends("e") && (s.inR2(1) || s.inR1(1) && !s.shortBefore(1)),
		s.ends("l") && s.inR2(1) && n > 1 && s.w[n-2] == 'l':
		s.replace(1, "")
	}
}
