package source

// class is what a byte may begin, as bits: most bytes begin no comment and no string, and are not
// looked at for that.
type class uint8

const (
	letterClass class = 1 << iota // a word
	markClass                     // a comment or a string
	blankClass                    // blank space within a line
)

// classify says of each byte what it may begin in the language.
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
