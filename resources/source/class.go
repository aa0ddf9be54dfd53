package source

// class is a bit set of the tokens that can begin with a byte. It makes the common case
// fast: most bytes begin neither a comment nor a string.
type class uint8

const (
	letterClass class = 1 << iota // a word
	markClass                     // a comment or a string
	blankClass                    // white space within a line
)

// classify computes the class of each byte for the language.
func (l *lexer) classify() {
	for c := 'a'; c <= 'z'; c++ {
		l.classes[c] |= letterClass
		l.classes[c-'a'+'A'] |= letterClass
	}
	l.classes['_'] |= letterClass
	for i := range len(l.letters) {
		l.classes[l.letters[i]] |= letterClass
	}
	for _, mark := range l.line {
		l.classes[mark[0]] |= markClass
	}
	for _, marks := range l.block {
		l.classes[marks[0][0]] |= markClass
	}
	for _, q := range l.quotes {
		l.classes[q.open[0]] |= markClass
	}
	for _, c := range " \t\r\f\v" {
		l.classes[c] |= blankClass
	}
}
