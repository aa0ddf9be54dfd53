package plans

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestDecide(t *testing.T) {
	for _, c := range []struct {
		what  string
		sides Sides
		want  Deed
	}{
		{"both have it", Sides{Here: "a", Team: "a", Base: "a"}, Rest},
		{"both came to the same", Sides{Here: "b", Team: "b", Base: "a"}, Agree},
		{"both have it for the first time", Sides{Here: "a", Team: "a"}, Agree},
		{"only the team changed it", Sides{Here: "a", Team: "b", Base: "a"}, Take},
		{"only this clone changed it", Sides{Here: "b", Team: "a", Base: "a"}, Send},
		{"both changed it", Sides{Here: "b", Team: "c", Base: "a"}, Merge},
		{"both made one of that name", Sides{Here: "b", Team: "c"}, Merge},
		{"saved from what was read before we wrote", Sides{Here: "a", Team: "b", Base: "b", Stale: true}, Merge},

		{"nowhere", Sides{}, Rest},
		{"new in the team", Sides{Team: "a"}, Take},
		{"its file is missing", Sides{Team: "a", Base: "a"}, Wait},
		{"and still is", Sides{Team: "a", Base: "a", Absent: true}, Take},
		{"and the team went on", Sides{Team: "b", Base: "a", Absent: true}, Take},
		{"it was not sent yet and is missing", Sides{Team: "a", Base: "a", Pending: true}, Wait},
		{"it was not sent yet and is gone", Sides{Team: "a", Base: "a", Pending: true, Absent: true}, PutBack},
		{"it was never sent and is missing", Sides{Pending: true}, Wait},
		{"it was never sent and is gone", Sides{Pending: true, Absent: true}, PutBack},
		{"it was removed", Sides{Team: "a", Base: "a", Removed: true}, Retire},
		{"it was removed and the team went on", Sides{Team: "b", Base: "a", Removed: true}, Take},
		{"it was removed before it was sent", Sides{Removed: true, Pending: true}, Forget},
		{"it was removed here and there", Sides{Base: "a", Removed: true, Archived: true}, Forget},
		{"what stands in the archive is of no concern", Sides{Removed: true}, Rest},

		{"new here", Sides{Here: "a"}, Send},
		{"only here since before it joined", Sides{Here: "a", Held: true}, Rest},
		{"the team set it aside", Sides{Here: "a", Base: "a", Archived: true}, Drop},
		{"the team set aside what was changed here", Sides{Here: "b", Base: "a", Archived: true}, Drop},
		{"brought back from the archive", Sides{Here: "a", Archived: true}, Send},
		{"set aside here and there", Sides{Base: "a", Archived: true}, Forget},
		{"the team lost it", Sides{Here: "a", Base: "a"}, Vanished},
		{"the team lost it and so did this clone", Sides{Base: "a"}, Vanished},

		{"git tracks it", Sides{Here: "a", Team: "b", Base: "c", Tracked: true}, Leave},
		{"git tracks it and it is missing", Sides{Team: "b", Base: "b", Tracked: true, Absent: true}, Leave},
		{"git tracks it and it was removed", Sides{Team: "b", Base: "b", Tracked: true, Removed: true}, Leave},
	} {
		assert.Equal(t, c.want, Decide(c.sides), c.what)
	}
}
