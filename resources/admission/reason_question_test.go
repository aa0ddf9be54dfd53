package admission

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestAQuestionIsNoDenial: the person is asked with the same reason, under a line that asks.
func TestAQuestionIsNoDenial(t *testing.T) {
	r := Reason{Action: "shell", What: "git push", Why: []string{"the role leaves it to a user"}}
	assert.Equal(t, "GOVERNANCE ASKS: may this shell call run? If no user answers, this is a GOVERNANCE BLOCK, and it is denied.\n\nWHAT: git push\nWHY: the role leaves it to a user", r.Question())
	assert.Contains(t, r.Text(), "GOVERNANCE BLOCK: shell denied\n\nWHAT: git push")
}
