package printers

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestALongCellWidensItsOwnRow(t *testing.T) {
	var out bytes.Buffer
	table := NewTable(&out, 3)
	table.Header("NAME", "TITLE", "WHY")
	long := strings.Repeat("x", 5000)
	for _, title := range []string{"short", long, "short"} {
		table.Cell("a")
		table.Cell(title)
		table.Cell("end")
	}
	require.NoError(t, table.Flush())
	lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
	require.Len(t, lines, 4)
	assert.Equal(t, "a      "+long+"   end", lines[2], "nothing of it is cut")
	for _, i := range []int{0, 1, 3} {
		assert.Less(t, len(lines[i]), 300)
	}
	assert.Equal(t, strings.Index(lines[0], "WHY"), strings.Index(lines[1], "end"))
}
