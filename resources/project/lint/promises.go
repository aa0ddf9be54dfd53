package lint

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/idumb-dev/idumb/resources/source"
)

// promise is a statement of a doc comment that the body of a function can disprove.
type promise struct {
	words     *regexp.Regexp // the statement
	breaks    *regexp.Regexp // a line of the body that disproves it
	prevented *regexp.Regexp // a line of the body after which nothing is certain
}

// docPatterns contains the patterns of doc comments and bodies.
type docPatterns struct {
	promises      [2]promise     // a statement with a condition is none: see conditional
	alwaysReturns *regexp.Regexp // a doc comment that names the only value that a function returns
	returned      *regexp.Regexp // a statement that returns a literal
	conditional   *regexp.Regexp // a sentence that holds in some cases only
}

// patterns compiles the patterns on the first call, not at the start of every program.
var patterns = sync.OnceValue(func() *docPatterns {
	re := regexp.MustCompile
	return &docPatterns{
		promises: [...]promise{
			{re(`(?i)\b(?:never|does not|doesn't|will not) (?:throws?|raises?)\b`), re(`^(?:throw|raise)\b`), re(`\btry\b|=>|\bfunction\b|\blambda\b|\bdef\b|\bcatch\b`)},
			{re(`(?i)\b(?:never|does not|doesn't|will not) panics?\b`), re(`^panic!?\(`), re(`\brecover\(|\bfunc\(|catch_unwind|\|[a-z_, ]*\| *\{`)},
		},
		alwaysReturns: re(`(?i)\b(?:always|only ever) returns (true|false|nil|null|none|0)\b`),
		returned:      re(`^return (true|false|True|False|nil|null|None|0|"[^"]*"|[1-9][0-9]*);?$`),
		conditional:   re(`(?i)\b(?:if|unless|when|while|except|but|until|after|for|otherwise|should|must|callers?)\b`),
	}
})

// falseDocs returns the doc comments of functions that the body of the function disproves.
func (f *file) falseDocs() (all []Finding) {
	docs := map[int]source.Comment{}
	for _, c := range f.facts.Comments {
		if c.Doc {
			docs[c.To+1] = c
		}
	}
	for _, s := range f.facts.Symbols {
		doc, found := docs[s.From]
		if !found || s.Kind != source.Function && s.Kind != source.Method || s.Body == "" {
			continue
		}
		for sentence := range strings.SplitSeq(strings.ReplaceAll(doc.Text, "\n", " "), ". ") {
			if patterns().conditional.MatchString(sentence) {
				continue
			}
			for _, line := range f.disproofs(sentence, s) {
				at := f.near(doc.From, doc.To, firstWords(sentence))
				all = append(all, Finding{Rule: FalseDoc, File: f.path, Line: at, Symbol: s.Full(), Words: sentence,
					Is: "the body has: " + plain(f.line(line)), Evidence: f.path})
				break
			}
		}
	}
	return all
}

// firstWords returns the first three words of a sentence, which are on the line where it begins.
func firstWords(sentence string) string {
	words := strings.Fields(sentence)
	return strings.Join(words[:min(3, len(words))], " ")
}

// disproofs returns the lines of a function that contradict a sentence about it.
func (f *file) disproofs(sentence string, s source.Symbol) (lines []int) {
	var body []int
	for n := s.From + 1; n <= min(s.To, len(f.lines)); n++ {
		if !slices.ContainsFunc(f.facts.Comments, func(c source.Comment) bool { return c.From <= n && n <= c.To }) {
			body = append(body, n)
		}
	}
	text := func(n int) string { return strings.TrimSpace(f.line(n)) }
	for _, p := range patterns().promises {
		if p.words.MatchString(sentence) && !slices.ContainsFunc(body, func(n int) bool { return p.prevented.MatchString(text(n)) }) {
			lines = append(lines, slices.DeleteFunc(slices.Clone(body), func(n int) bool { return !p.breaks.MatchString(text(n)) })...)
		}
	}
	said := patterns().alwaysReturns.FindStringSubmatch(sentence)
	nested := slices.ContainsFunc(body, func(n int) bool {
		return patterns().promises[0].prevented.MatchString(text(n)) || patterns().promises[1].prevented.MatchString(text(n))
	})
	for _, n := range body {
		if value := patterns().returned.FindStringSubmatch(text(n)); said != nil && !nested && value != nil && !strings.EqualFold(value[1], said[1]) {
			lines = append(lines, n)
		}
	}
	return lines
}
