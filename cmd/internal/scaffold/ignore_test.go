package scaffold

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/idumb-dev/idumb/controller/store/layout"
)

func TestWhatIsLocalIsIgnored(t *testing.T) {
	var named []string
	for line := range strings.Lines(string(ignore().Data)) {
		if line = strings.TrimSpace(line); !strings.HasPrefix(line, "#") && line != layout.TempPrefix+"*" {
			named = append(named, layout.Dir+"/"+strings.TrimSuffix(line, "/"))
		}
	}
	assert.ElementsMatch(t, append(layout.LocalDirs(), layout.LocalFiles()...), named)
}
