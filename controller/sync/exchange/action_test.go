package exchange

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestDecide(t *testing.T) {
	for _, c := range []struct {
		what  string
		sides Versions
		want  Action
	}{
		{"both have it", Versions{Local: "a", Remote: "a", Base: "a"}, NoAction},
		{"both came to the same", Versions{Local: "b", Remote: "b", Base: "a"}, RecordBase},
		{"both have it for the first time", Versions{Local: "a", Remote: "a"}, RecordBase},
		{"only the team changed it", Versions{Local: "a", Remote: "b", Base: "a"}, Pull},
		{"only this clone changed it", Versions{Local: "b", Remote: "a", Base: "a"}, Push},
		{"both changed it", Versions{Local: "b", Remote: "c", Base: "a"}, Merge},
		{"both made one of that name", Versions{Local: "b", Remote: "c"}, Merge},
		{"saved from what was read before we wrote", Versions{Local: "a", Remote: "b", Base: "b", Stale: true}, Merge},

		{"nowhere", Versions{}, NoAction},
		{"new in the team", Versions{Remote: "a"}, Pull},
		{"its file is missing", Versions{Remote: "a", Base: "a"}, WaitForFile},
		{"and still is", Versions{Remote: "a", Base: "a", Missing: true}, Pull},
		{"and the team went on", Versions{Remote: "b", Base: "a", Missing: true}, Pull},
		{"it was not sent yet and is missing", Versions{Remote: "a", Base: "a", Pending: true}, WaitForFile},
		{"it was not sent yet and is gone", Versions{Remote: "a", Base: "a", Pending: true, Missing: true}, RestoreLocal},
		{"it was never sent and is missing", Versions{Pending: true}, WaitForFile},
		{"it was never sent and is gone", Versions{Pending: true, Missing: true}, RestoreLocal},
		{"it was removed", Versions{Remote: "a", Base: "a", DeleteRequested: true}, ArchiveRemote},
		{"it was removed and the team went on", Versions{Remote: "b", Base: "a", DeleteRequested: true}, Pull},
		{"it was removed before it was sent", Versions{DeleteRequested: true, Pending: true}, ForgetBase},
		{"it was removed here and there", Versions{Base: "a", DeleteRequested: true, Archived: true}, ForgetBase},
		{"what stands in the archive is of no concern", Versions{DeleteRequested: true}, NoAction},

		{"new here", Versions{Local: "a"}, Push},
		{"only here since before it joined", Versions{Local: "a", LocalOnly: true}, NoAction},
		{"the team set it aside", Versions{Local: "a", Base: "a", Archived: true}, ArchiveLocal},
		{"the team set aside what was changed here", Versions{Local: "b", Base: "a", Archived: true}, ArchiveLocal},
		{"brought back from the archive", Versions{Local: "a", Archived: true}, Push},
		{"set aside here and there", Versions{Base: "a", Archived: true}, ForgetBase},
		{"the team lost it", Versions{Local: "a", Base: "a"}, Inconsistent},
		{"the team lost it and so did this clone", Versions{Base: "a"}, Inconsistent},

		{"git tracks it", Versions{Local: "a", Remote: "b", Base: "c", Tracked: true}, SkipTracked},
		{"git tracks it and it is missing", Versions{Remote: "b", Base: "b", Tracked: true, Missing: true}, SkipTracked},
		{"git tracks it and it was removed", Versions{Remote: "b", Base: "b", Tracked: true, DeleteRequested: true}, SkipTracked},
	} {
		assert.Equal(t, c.want, Decide(c.sides), c.what)
	}
}
