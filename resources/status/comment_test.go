package status_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/idumb-dev/idumb/hack/graphtest"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/graph"
	"github.com/idumb-dev/idumb/resources/status"
)

// Agents are bound by what this machine's user, or one of the user's people, instructs or asks; by nothing else.
func TestCommentBinds(t *testing.T) {
	instruction := resources.CommentSpec{Type: resources.CommentInstruction}
	for name, test := range map[string]struct {
		spec resources.CommentSpec
		log  status.CommentLog
		want bool
	}{
		"an instruction from here":            {instruction, status.CommentLog{Local: true}, true},
		"of one of the user's people":         {instruction, status.CommentLog{GitAuthor: "lead", FromTrusted: true}, true},
		"of a stranger":                       {instruction, status.CommentLog{GitAuthor: "mallory"}, false},
		"of nobody knows whom":                {instruction, status.CommentLog{}, false},
		"a question that holds":               {resources.CommentSpec{Type: resources.CommentQuestion, Hold: true}, status.CommentLog{Local: true}, true},
		"a question that does not":            {resources.CommentSpec{Type: resources.CommentQuestion}, status.CommentLog{Local: true}, false},
		"an answer, whatever it says":         {resources.CommentSpec{Type: resources.CommentAnswer, Hold: true}, status.CommentLog{Local: true}, false},
		"a question that holds, a stranger's": {resources.CommentSpec{Type: resources.CommentQuestion, Hold: true}, status.CommentLog{GitAuthor: "mallory"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			c := graphtest.NewObject[resources.CommentSpec, resources.CommentStatus](resources.Comments, "c", test.spec)
			w := graph.NewSnapshot(graph.SnapshotInput{Objects: []resources.Object{c}, Evidence: map[string]*status.Evidence{"c": {Comment: test.log}}})
			assert.Equal(t, test.want, status.CommentBinds(c, w))
		})
	}
}
