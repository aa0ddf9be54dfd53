package mems

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/apierrors"
)

// What is not declared cannot be cited: a comment or an import would be watched in its place.
func TestAPartThatIsNotThereIsRefused(t *testing.T) {
	w := newShelf()
	w.files["a.go"], w.files["a.go#Limit"], w.files["a.ts"], w.files["a.ts#limit"] = "1", "2", "3", "line"
	for cited, instead := range map[string]string{"a.go#Limt": "a.go#Limit", "a.go#Unheard": "a.go", "a.ts#limit": "a.ts", "a.md#Prt": "a.md#Part"} {
		_, err := Save(mem("m", resources.MemSpec{Content: "c", Evidence: []resources.MemEvidence{{Note: cited}}}), w)
		var r *apierrors.Refusal
		require.ErrorAs(t, err, &r, cited)
		assert.Equal(t, NoPart, r.Cause)
		assert.Equal(t, CiteInstead+instead, r.Step)
		assert.Equal(t, cited, r.Evidence)
	}
	_, err := Confirm(mem("m", resources.MemSpec{}), Confirmation{Evidence: []string{"a.ts#limit"}}, w)
	assert.ErrorContains(t, err, `cannot confirm mem "m": a.ts mentions "limit"`)
	_, err = Save(mem("m", resources.MemSpec{Content: "c", Evidence: []resources.MemEvidence{{Path: "a.go", Section: "Gone", SHA256: "0"}}}), w)
	assert.NoError(t, err, "it was recorded elsewhere")
}

func TestWhoCitesAWholeFileIsToldOfItsParts(t *testing.T) {
	w := newShelf()
	w.files["a.go"] = "1"
	for _, name := range []string{"Limit", "limit", "Bucket", "Bucket.Add", "maxBurst", "réglage"} {
		w.files["a.go#"+name] = name
	}
	for text, hint := range map[string]string{
		"nothing of it":                  "",
		"the limit of Limits":            "",
		"Limit is 3":                     "cites all of a.go; --evidence a.go#Limit watches just Limit",
		"call limit() or `réglage`":      "cites all of a.go; --evidence a.go#limit --evidence a.go#réglage watches just limit and réglage",
		"maxBurst, Bucket.Add":           "cites all of a.go; --evidence a.go#Bucket --evidence a.go#Bucket.Add --evidence a.go#maxBurst watches just Bucket and Bucket.Add and maxBurst",
		"Add is only a method's name":    "cites all of a.go; --evidence a.go#Bucket.Add watches just Bucket.Add",
		"MaxBurst and Limit_ are others": "",
	} {
		saved, err := Save(mem("m", resources.MemSpec{Content: text, Evidence: []resources.MemEvidence{{Path: "a.go"}}}), w)
		require.NoError(t, err)
		var want []string
		if hint != "" {
			want = []string{hint}
		}
		assert.Equal(t, want, saved.Hints, text)
	}
	assert.Equal(t, "'a.md#It'\\''s (new)'", quoted("a.md#It's (new)"))
}

// Who confirms what moved cites it where it is.
func TestConfirmTakesTheNewPlace(t *testing.T) {
	m := mem("m", resources.MemSpec{Evidence: []resources.MemEvidence{{Path: "old.md", SHA256: "1"}}})
	w := newShelf(m)
	w.files["moved old.md"] = "a.md"
	next, err := Confirm(m, Confirmation{Author: "ann", Check: true}, w)
	require.NoError(t, err)
	assert.Equal(t, []resources.MemEvidence{{Path: "a.md", SHA256: "1"}}, next.Spec.Evidence)
}
