package queries

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/idumb-dev/idumb/resources"
)

// Whoever has all columns of a table shows the first of them.
func TestColumnsForWideStandBehindTheOthers(t *testing.T) {
	for _, kind := range resources.Kinds() {
		all, always := Shape{Wide: true}.Table(kind.Plural, nil, time.Time{}), Shape{}.Table(kind.Plural, nil, time.Time{})
		assert.Equal(t, always.Columns, all.Columns[:all.DefaultColumns()], kind.Plural)
		assert.True(t, slices.ContainsFunc(all.Columns, func(c ColumnDefinition) bool { return c.Type == DateType }), kind.Plural)
		for _, header := range all.Headers() {
			assert.True(t, slices.ContainsFunc(Columns(kind.Plural), func(c Column) bool { return c.Header == header }), header)
		}
	}
}
