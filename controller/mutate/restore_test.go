package mutate

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/idumb-dev/idumb/resources"
)

// A name comes from whoever typed it: it must not begin a line of its own.
func TestANameThatIsNotArchivedIsQuoted(t *testing.T) {
	err := notArchived(resources.Key{Kind: resources.Tasks, Name: "a\nb"})
	assert.EqualError(t, err, `Error (NotFound): tasks.idumb.dev "a\nb" not found in .idumb/archive`)
}
