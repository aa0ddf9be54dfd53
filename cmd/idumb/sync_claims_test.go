package main

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/idumb-dev/idumb/controller/sync"
)

// A flood of claims is cut, and what this clone holds is shown wherever it stands.
func TestFewClaims(t *testing.T) {
	var claims []*sync.Claim
	for i := range 10_000 {
		claims = append(claims, &sync.Claim{Task: fmt.Sprintf("t%04d", i), Clone: "other"})
	}
	claims[9_000].Clone = "here"
	mine := func(c *sync.Claim) bool { return c.Clone == "here" }
	shown, more := fewClaims(claims, mine)
	assert.Len(t, shown, maxClaims+1)
	assert.Same(t, claims[9_000], shown[maxClaims])
	assert.Equal(t, 10_000-maxClaims-1, more)
	shown, more = fewClaims(claims[:maxClaims], mine)
	assert.Len(t, shown, maxClaims)
	assert.Zero(t, more)
}
