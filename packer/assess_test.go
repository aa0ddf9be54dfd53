package packer

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/resources"
)

// TestManyAreAssessedAsFewAre compares what several goroutines find out with what one does.
func TestManyAreAssessedAsFewAre(t *testing.T) {
	input := gathered(t)
	for i := range crowd + 500 {
		more := ""
		if i%7 == 1 {
			more = fmt.Sprintf(`, "supersedes": "m-%04d", "supersedeReason": "newer"`, i-1)
		}
		input.Objects = append(input.Objects, decoded(t, resources.Mems, fmt.Sprintf("m-%04d", i), fmt.Sprintf(`{"content": "login %d"%s}`, i, more)))
	}
	s := resources.NewSnapshot(input)
	many := Assessed(s)
	require.Len(t, many, crowd+502)
	few := make([]Mem, len(many))
	assess(s, s.List(resources.Mems), few)
	assert.Equal(t, few, many)
	assert.Equal(t, resources.PhaseInvalid, many[0].Status.Phase, "broken")
	assert.Equal(t, resources.Superseded, many[1].Status.Phase)
}
