package packer

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/idumb-dev/idumb/resources/tokens"
)

func TestCompaction(t *testing.T) {
	pack := Build(userAuth()).Bytes
	golden(t, "compaction.xml", []byte(Compaction(pack, 10000)))
	for limit := range 3000 {
		if limit%37 != 0 {
			continue
		}
		got := Compaction(pack, limit)
		assert.LessOrEqual(t, tokens.Measure(got).Characters, limit)
		if got != "" {
			told(t, []byte(got))
		}
	}
	assert.Contains(t, Compaction(pack, 200), "Vietnamese", "what matters most")
	assert.Empty(t, Compaction([]byte("nonsense"), 10000))
}

func TestLimitFor(t *testing.T) {
	assert.Zero(t, LimitFor(0))
	assert.Equal(t, 9200, LimitFor(10000))
	assert.Equal(t, MinLimit, LimitFor(1200))
}
