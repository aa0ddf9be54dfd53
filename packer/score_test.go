package packer

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func termsOf(text string) []string {
	var terms []string
	for s := (scanner{text: text}); s.next(); {
		terms = append(terms, string(s.term))
	}
	return terms
}

func TestTerms(t *testing.T) {
	for _, test := range []struct {
		name, in string
		want     []string
	}{
		{"nothing", " ,;- ", nil},
		{"words", "Fix the login-form, now!", []string{"fix", "the", "login", "form", "now"}},
		{"paths", "web/auth/login_form.tsx", []string{"web", "auth", "login", "form", "tsx"}},
		{"capitals inside", "refreshToken HTTPServer getURL2", []string{"refresh", "token", "httpserver", "get", "url2"}},
		{"plurals", "tokens class bus its gas", []string{"token", "class", "bus", "its", "gas"}},
		{"letters beyond ASCII", "Đăng-nhập ÉTÉ über", []string{"đăng", "nhập", "été", "über"}},
		{"CJK", "登录form失败", []string{"登", "录", "form", "失", "败"}},
		{"dashes beyond ASCII", "login—form…", []string{"login", "form"}},
		{"too long", strings.Repeat("ab", 100), []string{strings.Repeat("ab", maxTerm/2)}},
	} {
		t.Run(test.name, func(t *testing.T) { assert.Equal(t, test.want, termsOf(test.in)) })
	}
}

func TestLog2(t *testing.T) {
	for _, x := range []int64{1024, 1025, 1536, 2047, 2048, 3000, 65536, 20_000_000} {
		assert.InDelta(t, math.Log2(float64(x)/scoreUnit)*scoreUnit, float64(log2(x)), 1.5, "%d", x)
	}
}

// TestScoresAreBM25 compares with the formula in floating point.
func TestScoresAreBM25(t *testing.T) {
	documents := []string{
		"login form login", "session cookie for the login", "the cache key of the build", "form", "",
		strings.Repeat("words about nothing ", 30) + "login form session",
	}
	q := newQuery()
	q.add("Login form", 2)
	q.add("session", 1)
	c := newCorpus(q, 0)
	total := 0.0
	for _, d := range documents {
		c.begin()
		c.add(d)
		total += float64(len(termsOf(d)))
	}
	got := c.scores()
	for i, d := range documents {
		want, terms := 0.0, termsOf(d)
		for term, weight := range map[string]float64{"login": 2, "form": 2, "session": 1} {
			tf, holders := 0.0, 0.0
			for _, x := range terms {
				if x == term {
					tf++
				}
			}
			for _, other := range documents {
				if strings.Contains(other, term) {
					holders++
				}
			}
			n := float64(len(documents))
			idf := math.Log2(1 + (n-holders+0.5)/(holders+0.5))
			want += weight * idf * tf * 2.2 / (tf + 1.2*(0.25+0.75*float64(len(terms))/(total/n)))
		}
		assert.InDelta(t, want, float64(got[i])/scoreUnit, 0.02, d)
	}
}

func TestQueryLeavesOutWordsThatSayNothing(t *testing.T) {
	q := newQuery()
	q.add("The use of a token by the forms", 1)
	assert.Len(t, q.terms, 2)
	assert.Contains(t, q.terms, "token")
	assert.Contains(t, q.terms, "form")
}
