package search

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestSplitLabel(t *testing.T) {
	for _, test := range []struct{ text, label, rest string }{
		{"Nora: I went.", "Nora", "I went."},
		{"Nora Smith-Jones: I went.", "Nora Smith-Jones", "I went."},
		{"Decision: use cookies", "Decision", "use cookies"},
		{"Élodie O’Neill: oui", "Élodie O’Neill", "oui"},
		{"Note that it is so: yes", "", "Note that it is so: yes"},
		{"nora: I went.", "", "nora: I went."},
		{"http://x: y", "", "http://x: y"},
		{"At 10:30: tea", "", "At 10:30: tea"},
		{": x", "", ": x"},
		{"Nora:", "", "Nora:"},
		{"", "", ""},
	} {
		label, rest := splitLabel(test.text)
		assert.Equal(t, test.label, label, test.text)
		assert.Equal(t, test.rest, rest, test.text)
	}
}

func TestAskingPart(t *testing.T) {
	for text, want := range map[string]int{
		"":                            0,
		"I went home.":                0,
		"Did you go home?":            8,
		"I went home. And you there?": 4,
		"One two three. Four?":        2,
		"Well! Really?? What a day it was, and how long, and how far we went today. OK?": 1,
		"Look. [photo: who is it?]":           0,
		"Look? [photo: a dog]":                8,
		"你去哪里？":                               8,
		"It ends without a mark? Yes it does": 5,
		"???":                                 0,
	} {
		assert.Equal(t, want, askingPart(text), text)
	}
}

func FuzzSpeech(f *testing.F) {
	f.Add("Nora: I went. And you? [photo: ?]")
	f.Fuzz(func(t *testing.T, text string) {
		if n := askingPart(text); n < 0 || n > eighths {
			t.Fatalf("%d of %q", n, text)
		}
		label, rest := splitLabel(text)
		if label != "" && label+": "+rest != text {
			t.Fatalf("%q", text)
		}
	})
}

// talk is two conversations of one sort of words.
func talk() []Document {
	turns := []string{
		"Nora: What did you do last weekend, Paul?",
		"Paul: I went to the lake with my kayak.",
		"Nora: Paul, did you like the lake? Was it cold?",
		"Paul: Freezing! We stayed for an hour only.",
		"Nora: I bought a tent for the mountains.",
		"Paul: Great colour. [photo: a green tent]",
	}
	documents := make([]Document, len(turns))
	for i, text := range turns {
		documents[i] = Document{ID: "mems/" + string(rune('a'+i)), Revision: "1", Text: text, Origin: "one", Order: int64(i), Confidence: 80}
	}
	return documents
}

func TestWhoSpeaksAndWhoAsks(t *testing.T) {
	hits := New(talk()).Search(ask("When did Paul go to the lake?")).Hits(-1)
	require.Equal(t, "mems/b", hits[0].ID)
	assert.Equal(t, "paul", hits[0].Speaker)
	assert.Contains(t, hits[0].Why(), "; x1.5: it begins with paul:")
	assert.Zero(t, hits[0].Asks)
	for _, h := range hits {
		switch h.ID {
		case "mems/a":
			assert.True(t, h.Time)
			assert.Contains(t, h.Why(), "; x1.2: it tells a time, as is asked")
			assert.Contains(t, h.Why(), "; x0.50: it asks")
			assert.Empty(t, h.Speaker, "Nora speaks, who only names Paul")
		case "mems/d":
			assert.Equal(t, "mems/c", h.BesideID, "an answer has words from what it answers")
			assert.True(t, h.Time, "an hour")
		}
	}
	for _, h := range New(talk()).Search(Query{Plain: true, Parts: []Part{{Text: "When did Paul go to the lake?"}}}).Hits(-1) {
		assert.Empty(t, h.Speaker)
		assert.Zero(t, h.Asks)
		assert.False(t, h.Time)
		assert.Zero(t, h.Beside)
	}
}

// TestNoWordIsLentTwice holds loans to be by the word: a document between two that have a
// word gets a part of the better one, and one that has it itself gets nothing.
func TestNoWordIsLentTwice(t *testing.T) {
	documents := []Document{
		{ID: "a", Text: "zebra", Origin: "o", Order: 1},
		{ID: "b", Text: "nothing", Origin: "o", Order: 2},
		{ID: "c", Text: "zebra", Origin: "o", Order: 3},
		{ID: "d", Text: "zebra", Origin: "o", Order: 4},
		{ID: "d1", Text: "other", Origin: "o", Order: 5},
		{ID: "f", Text: "thing", Origin: "o", Order: 6},
		{ID: "e", Text: "else", Origin: "other", Order: 5},
		{ID: "g", Text: "first", Origin: "p", Order: 1},
		{ID: "h", Text: "zebra", Origin: "p", Order: 2},
	}
	hits := New(documents).Search(ask("zebra")).Hits(-1)
	by := map[string]Hit{}
	for _, h := range hits {
		by[h.ID] = h
	}
	own := by["a"].Terms[0].Weight
	assert.Equal(t, own*beforePercent/100, by["b"].Beside)
	assert.Equal(t, own*secondPercent/100, by["f"].Beside, "the one before the last lends as well")
	assert.Equal(t, "d", by["f"].BesideID)
	assert.Equal(t, own*afterPercent/100, by["g"].Beside)
	assert.Equal(t, "a", by["b"].BesideID)
	assert.Zero(t, by["c"].Beside)
	assert.Zero(t, by["d"].Beside)
	assert.NotContains(t, by, "e")
}

// A document that has no word of the question lives on what its neighbour has, and is never found
// before it, also where that one has to be checked.
func TestWhatStandsNextToASuspectIsNotFoundBeforeIt(t *testing.T) {
	var x Index
	place := map[string]int{}
	for n, d := range []Document{
		{ID: "mems/limit", Text: "Limit is 3 as the upstream bans at 4", Suspect: true, Confidence: 40},
		{ID: "mems/monday", Text: "Logins fail on Mondays: passwords rotate on Sunday", Confidence: 80},
	} {
		d.Origin, d.Order = "2026-11-24T10", int64(n)
		place[d.ID] = x.Put(d)
	}
	hits := x.Search(Query{Parts: []Part{{Text: "why is the limit 3"}}}).Hits(-1)
	require.NotEmpty(t, hits)
	assert.Equal(t, place["mems/limit"], hits[0].Document)
}
