package search

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// ask is a question of one text.
func ask(text string) Query { return Query{Parts: []Part{{Text: text}}} }

func ids(hits []Hit) []string {
	list := []string{}
	for _, h := range hits {
		list = append(list, h.ID)
	}
	return list
}

// notes are documents that share words in known ways.
func notes() []Document {
	return []Document{
		{ID: "mems/cookie", Revision: "1", Title: "Session tokens", Text: "Tokens are kept in httpOnly cookies, because scripts can read localStorage.", Tags: []string{"auth"}, Origin: "login", Confidence: 80},
		{ID: "mems/renew", Revision: "1", Text: "A call of the session endpoint renews it for 30 days.", Origin: "login", Confidence: 80},
		{ID: "mems/retry-queue", Revision: "1", Text: "The mail queue retries for an hour.", Symbols: []string{"Queue.Retry"}, Globs: []string{"mail/**"}, Confidence: 80},
		{ID: "mems/cache", Revision: "1", Text: "CI keeps a cache; its key holds the lock file's hash.", Paths: []string{".ci/cache.yml"}, Related: []string{"mems/retry-queue"}, Confidence: 80},
		{ID: "mems/old", Revision: "1", Text: "Session tokens are kept in localStorage.", Hidden: true, Confidence: 80},
	}
}

// TestScoresAreBM25F compares with the formula in floating point.
func TestScoresAreBM25F(t *testing.T) {
	documents := notes()
	got := New(documents).Search(Query{Plain: true, Parts: []Part{{Text: "session tokens"}, {Text: "hash", Weight: 3}}})
	var lengths [5]float64
	frequencies := [5]map[string]float64{}
	total, n := 0.0, 0.0
	for i, d := range documents {
		frequencies[i] = map[string]float64{}
		for _, f := range []struct {
			weight float64
			texts  []string
		}{{2, []string{d.Title}}, {2, d.Tags}, {2, slices.Concat(d.Cues, d.Symbols, d.Globs)}, {1, []string{d.Text}}, {1.5, d.Paths}} {
			for _, text := range f.texts {
				a := analyser{}
				a.analyse(text, func(term []byte, word bool) {
					frequencies[i][string(term)] += f.weight
					if word {
						lengths[i] += f.weight
					}
				})
			}
		}
		if !d.Hidden {
			total, n = total+lengths[i], n+1
		}
	}
	for i, d := range documents {
		want := 0.0
		for term, weight := range map[string]float64{"session": 0.2, "token": 0.2, "hash": 0.6} {
			holders := 0.0
			for j := range documents {
				if frequencies[j][term] > 0 && !documents[j].Hidden {
					holders++
				}
			}
			idf := math.Log2(1 + (n-holders+0.5)/(holders+0.5))
			tf := frequencies[i][term]
			want += weight * idf * tf * 1.9 / (tf + 0.9*(0.6+0.4*lengths[i]/(total/n)))
		}
		want *= 0.97 // confidence 80
		if d.Hidden {
			want = 0
		}
		assert.InDelta(t, want, float64(got.Scores()[i])/weightOne, 0.01, d.ID)
	}
}

// rounds is how often a property is tried: a tenth of n with -short, which is how the race
// detector runs, that makes everything ten times slower.
func rounds(n int) int {
	if testing.Short() {
		return n / 10
	}
	return n
}

// claims counts what hits say of themselves.
type claims map[string]int

func (c claims) add(what string, is bool) {
	if is {
		c[what]++
	}
}

func TestScoreIsWhatTheHitSays(t *testing.T) {
	t.Parallel()
	claimed := claims{}
	r := rand.New(rand.NewPCG(1, 2))
	for range rounds(200) {
		documents := randomDocuments(r, 1+r.IntN(40))
		result := New(documents).Search(ask([]string{"", "When purchases "}[r.IntN(2)] + randomText(r, 6)))
		first, all := result.Hits(5), result.Hits(-1)
		require.Equal(t, all[:min(5, len(all))], first)
		require.Equal(t, first, result.Hits(5))
		require.Empty(t, result.Hits(0))
		require.Equal(t, first, result.Pick(5, func(int) bool { return true }))
		for _, h := range result.Pick(-1, func(i int) bool { return documents[i].Suspect }) {
			require.True(t, h.Suspect)
		}
		for _, h := range all {
			var sum int64
			for _, term := range h.Terms {
				sum += term.Weight
			}
			sum += h.Related + h.Origin
			if len(h.Named) > 0 {
				sum = sum * 160 / 100
			}
			sum = sum * int64(8500+15*h.Confidence) / 10000
			if h.Suspect {
				sum /= 2
			}
			require.Equal(t, sum, h.Score)
			require.Positive(t, h.Score)
			require.False(t, documents[h.Document].Hidden)
			claimed.add("related", h.Related > 0)
			claimed.add("origin", h.Origin > 0)
			claimed.add("named", len(h.Named) > 0)
			claimed.add("near", slices.ContainsFunc(h.Terms, func(w TermWeight) bool { return w.Near != "" }))
			for _, d := range documents {
				if d.ID == h.RelatedID || d.ID == h.OriginID {
					require.False(t, d.Hidden, "what is hidden lends nothing")
				}
			}
			require.Equal(t, documents[h.Document].ID, h.ID)
		}
	}
	for _, what := range []string{"related", "origin", "named", "near"} {
		require.Greater(t, claimed[what], rounds(20), what)
	}
}

var vocabulary = strings.Fields("login token session cookie cache queue mail retry form test path store watch lock index pack mem task plan role hook gate " +
	"refreshToken web/auth/login.tsx parse_token Store.Put 2023 登录 mems/m-3 m-5 tests")

func randomText(r *rand.Rand, most int) string {
	words := make([]string, r.IntN(most+1))
	for i := range words {
		words[i] = vocabulary[r.IntN(len(vocabulary))]
	}
	return strings.Join(words, " ")
}

func randomDocuments(r *rand.Rand, n int) []Document {
	documents := make([]Document, n)
	for i := range documents {
		documents[i] = Document{
			ID: fmt.Sprintf("mems/m-%d", i), Revision: fmt.Sprint(r.IntN(3)), Title: randomText(r, 3), Text: randomText(r, 20), Tags: strings.Fields(randomText(r, 2)),
			Symbols: strings.Fields(randomText(r, 2)), Paths: strings.Fields(randomText(r, 1)), Globs: []string{"web/**"}[:r.IntN(2)],
			Confidence: r.IntN(101), Suspect: r.IntN(4) == 0, Hidden: r.IntN(5) == 0,
		}
		if i > 0 && r.IntN(3) == 0 {
			documents[i].Related = []string{fmt.Sprintf("mems/m-%d", r.IntN(n+2)), "tasks/t"}
		}
		if r.IntN(3) == 0 {
			documents[i].Text = "Login: " + documents[i].Text + ". When? " + "yesterday "[:10*r.IntN(2)] + "buys"
		}
		if r.IntN(2) == 0 {
			documents[i].Origin = fmt.Sprint("t", r.IntN(4))
		}
	}
	return documents
}

// TestAnIndexIsWhatIsInIt holds the answers to be the same however the documents came into the
// index: at once, or one by one among others that changed or are gone.
func TestAnIndexIsWhatIsInIt(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(3, 4))
	for range rounds(300) {
		documents := randomDocuments(r, r.IntN(30))
		index := New(documents)
		for made := range r.IntN(12) { // what has happened since
			if len(documents) == 0 || r.IntN(3) == 0 {
				documents = append(documents, Document{ID: fmt.Sprintf("mems/n-%d", made), Revision: "9", Text: randomText(r, 9), Confidence: 50})
				index.Put(documents[len(documents)-1])
				continue
			}
			i := r.IntN(len(documents))
			switch r.IntN(3) {
			case 0:
				index.Remove(documents[i].ID)
				documents = slices.Delete(documents, i, i+1)
				continue
			case 1:
				documents[i].Text, documents[i].Revision = randomText(r, 9), fmt.Sprint(r.IntN(1000)+10)
			case 2:
				documents[i].Confidence, documents[i].Suspect, documents[i].Hidden = r.IntN(100), r.IntN(2) == 0, r.IntN(2) == 0
			}
			index.Put(documents[i])
		}
		q := Query{Parts: []Part{{Text: randomText(r, 6)}, {Text: randomText(r, 3), Weight: 2}}, Paths: []string{"web/auth/x.go", "web/**"}}
		want := New(documents).Search(q).Hits(-1)
		require.Equal(t, want, numbered(want, index.Search(q).Hits(-1)))
		shuffled := slices.Clone(documents)
		r.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		require.Equal(t, want, numbered(want, New(shuffled).Search(q).Hits(-1)))
		hides := func(id string) bool { return strings.HasSuffix(id, "1") || strings.HasSuffix(id, "4") }
		left := slices.DeleteFunc(slices.Clone(documents), func(d Document) bool { return hides(d.ID) })
		for i := range left {
			left[i].Hidden = false
		}
		want = New(left).Search(q).Hits(-1)
		q.Hides = func(i int) bool { return hides(index.documents[i].ID) }
		require.Equal(t, want, numbered(want, index.Search(q).Hits(-1)), "what is hidden counts in nothing")
	}
}

// numbered is a list of hits with the numbers of another one, which depend on how documents came.
func numbered(like, hits []Hit) []Hit {
	for i := range min(len(like), len(hits)) {
		hits[i].Document = like[i].Document
	}
	return hits
}

// TestWhatIsGoneLeavesNothing: an index forgets the words of what it had.
func TestWhatIsGoneLeavesNothing(t *testing.T) {
	documents := randomDocuments(rand.New(rand.NewPCG(5, 6)), 100)
	index := New(documents)
	for round := range 3 {
		for _, d := range documents {
			index.Remove(d.ID)
		}
		assert.Empty(t, index.words.numbers)
		assert.Empty(t, index.origins)
		assert.Empty(t, index.relating)
		for i := range documents {
			documents[i].Text += fmt.Sprint(" round", round)
			index.Put(documents[i])
		}
		assert.Equal(t, len(documents), index.Len(), "numbers are given out again")
	}
}

func TestWhatBringsWeight(t *testing.T) {
	find := func(text string) []Hit { return New(notes()).Search(ask(text)).Hits(-1) }
	byID := func(hits []Hit, id string) Hit {
		for _, h := range hits {
			if h.ID == id {
				return h
			}
		}
		return Hit{}
	}
	hits := find("where are tokens kept?")
	require.NotEmpty(t, hits)
	assert.Equal(t, "mems/cookie", hits[0].ID)
	assert.Equal(t, "mems/cookie", byID(hits, "mems/renew").OriginID)
	assert.NotContains(t, ids(hits), "mems/old", "hidden ones are not found")
	assert.Equal(t, []string{"symbol queue.retry"}, find("who calls Queue.Retry?")[0].Named)
	assert.Equal(t, []string{"id retryqueue"}, find("see retry-queue")[0].Named)
	assert.Equal(t, []string{"id cache"}, byID(find("see mem/cache"), "mems/cache").Named)
	assert.Empty(t, byID(find("the cache"), "mems/cache").Named, "a word is no id")
	assert.Equal(t, []string{"tag auth"}, byID(find("auth tokens"), "mems/cookie").Named)
	assert.Equal(t, []string{"path mail/**"}, byID(find("change mail/send.go: the queue"), "mems/retry-queue").Named)
	assert.Equal(t, []string{"path cache.yml"}, byID(find("cache.yml"), "mems/cache").Named)
	assert.Equal(t, "mems/retry-queue", byID(find("mail queue"), "mems/cache").RelatedID)
	assert.Contains(t, hits[0].Why(), "token ")
}

// TestAHugeQuestionIsAnswered holds a task with much text to cost no more than a moment.
func TestAHugeQuestionIsAnswered(t *testing.T) {
	t.Parallel()
	var text strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&text, "dir%d/file%d.go word%d ", i%500, i, i)
	}
	began := time.Now()
	hits := New(many(500)).Search(ask("session tokens " + text.String())).Hits(3)
	assert.Empty(t, hits)
	assert.Less(t, time.Since(began), 20*time.Second, "it takes a tenth of a second on an idle machine")
}

func TestMatchesGlob(t *testing.T) {
	for _, test := range []struct {
		pattern, asked string
		want           bool
	}{
		{"mail/**", "mail/send.go", true}, {"mail/**", "mail", true}, {"mail/**", "mailer/send.go", false}, {"mail/**", "mail/**", true},
		{"mail/**", "mail/out/**", true}, {"mail/out/*.go", "mail/**", true}, {"**/*.go", "mail/send.go", true}, {"./mail/*", "mail/send.go", true},
		{"*.go", "mail/send.go", false}, {"{mail,post}/*", "post/x", true}, {"mail/[a-z]*", "mail/9", false}, {"web/**", "mail/**", false},
	} {
		assert.Equal(t, test.want, matchesGlob(test.pattern, test.asked), "%s %s", test.pattern, test.asked)
	}
}

func TestQueriesThatFindNothing(t *testing.T) {
	for _, q := range []Query{{}, ask(""), ask("the of a"), ask("zebra"), {Paths: []string{"nowhere/**"}}, {Paths: []string{"[", "", "/"}}} {
		r := New(notes()).Search(q)
		assert.Empty(t, r.Hits(5))
		assert.Zero(t, r.Best())
		assert.Empty(t, New(nil).Search(q).Hits(-1))
	}
}

// A word in small letters is no symbol, and one identifier is no phrase: of package.json both words may stand
// anywhere in what somebody asks.
func TestWordsAreNoIdentifiers(t *testing.T) {
	documents := []Document{
		{ID: "type", Text: "Rows are kept.", Symbols: []string{"Passengers"}},
		{ID: "file", Text: "Hoisting is off.", Cues: []string{"package.json"}},
		{ID: "common", Text: "Ports.", Cues: []string{"slow answers"}},
	}
	for i := range 20 {
		documents = append(documents, Document{ID: fmt.Sprint("other", i), Text: "Slow answers of the quay."})
	}
	x := New(documents)
	for question, want := range map[string]struct{ named, cued string }{
		"which passengers are rows":         {},
		"what of Passengers in rows":        {named: "type"},
		"a package of hoisting with json":   {},
		"hoisting of package.json":          {cued: "file"},
		"are slow the answers of the ports": {},
	} {
		r := x.Search(Query{Parts: []Part{{Text: question}}})
		named, cued := "", ""
		for _, h := range r.Hits(-1) {
			if len(h.Named) > 0 {
				named += h.ID
			}
			if r.Cued(h) {
				cued += h.ID
			}
		}
		assert.Equal(t, want.named, named, question)
		assert.Equal(t, want.cued, cued, question)
	}
}
