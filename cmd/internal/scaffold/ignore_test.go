package scaffold

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/idumb-dev/idumb/controller/store/layout"
)

func TestWhatIsLocalIsIgnored(t *testing.T) {
	var named []string
	ours, _, _ := strings.Cut(string(ignore().Data), "# What editors")
	for line := range strings.Lines(ours) {
		if line = strings.TrimSpace(line); !strings.HasPrefix(line, "#") && line != layout.TempPrefix+"*" {
			named = append(named, layout.Dir+"/"+strings.TrimSuffix(line, "/"))
		}
	}
	assert.ElementsMatch(t, append(layout.LocalDirs(), layout.LocalFiles()...), named)
}
