package main

import (
	_ "embed"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

//go:embed rows.md
var documented string

// Each row of the documents is in the table, once, and has something to say of it.
func TestTheTableCoversEveryRow(t *testing.T) {
	var wanted, have []string
	for _, found := range regexp.MustCompile(`(?m)^\| (F\d\d) \|`).FindAllStringSubmatch(documented, -1) {
		wanted = append(wanted, found[1])
	}
	require.Len(t, wanted, 66)
	for _, r := range rows() {
		have = append(have, r.id)
		assert.NotEmpty(t, r.what, r.id)
		assert.Equal(t, r.against == "", r.probe != nil, "%s has a probe, or a reason for none", r.id)
	}
	assert.Equal(t, wanted, have)
}

// A row that fails fails the run.
func TestEveryOtherOutcomeFails(t *testing.T) {
	works, fails := &result{sightings: []string{"seen"}}, &result{missed: "a; b"}
	for i, tc := range []struct {
		row  row
		o    outcome
		line string
		good bool
	}{
		{row{}, outcome{now: works}, "+ F01 x: seen", true},
		{row{}, outcome{now: fails}, "- F01 x: expected: a; b", false},
		{row{against: "why"}, outcome{}, "decided against F01 x: why", true},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			tc.row.id, tc.row.what = "F01", "x"
			line, good := tc.o.line(tc.row)
			assert.Equal(t, tc.line, line)
			assert.Equal(t, tc.good, good)
		})
	}
}

func TestRowsAreChosen(t *testing.T) {
	some, err := choose("F03,F02")
	require.NoError(t, err)
	require.Len(t, some, 2)
	assert.Equal(t, "F02", some[0].id)
	_, err = choose("F99")
	assert.ErrorContains(t, err, `"F99"`)
	all, err := choose("")
	require.NoError(t, err)
	assert.Len(t, all, 66)
}

// A gap names a row with a probe, and has a reason.
func TestGapsNameRows(t *testing.T) {
	for line := range strings.Lines(gaps) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		fields := strings.Split(strings.TrimSpace(line), "\t")
		require.Len(t, fields, 3, line)
		chosen, err := choose(fields[0])
		require.NoError(t, err)
		assert.NotNil(t, chosen[0].probe, line)
		assert.NotEmpty(t, fields[2])
	}
}

// A constant that does not hold and is not listed fails the row, and so does a listed one that holds.
func TestGapsAreExact(t *testing.T) {
	defer func(before string) { gaps = before }(gaps)
	gaps = "F26\tone\twhy\nF26\ttwo\twhy\nF27\tthree\twhy\n"
	for _, tc := range []struct {
		unmet []string
		good  bool
	}{
		{[]string{"one", "two"}, true},
		{[]string{"one"}, false},
		{[]string{"one", "two", "another"}, false},
	} {
		line, good := (&outcome{now: &result{unmet: tc.unmet}}).line(row{id: "F26", what: "triggers"})
		assert.Equal(t, tc.good, good, line)
	}
}
