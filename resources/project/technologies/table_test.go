package technologies

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Every row is read: a name once, a category, patterns of ecosystems that some reader fills.
func TestTable(t *testing.T) {
	seen := map[string]string{}
	for line := range strings.Lines(rows) {
		fields := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		require.Len(t, fields, 3, line)
		assert.Empty(t, seen[fields[0]], fields[0])
		seen[fields[0]] = fields[1]
		assert.Equal(t, fields[1], categories[weightOf(fields[1])].name, line)
		for _, pattern := range strings.Fields(fields[2]) {
			ecosystem, name, found := strings.Cut(pattern, ":")
			assert.True(t, found && strings.Trim(name, "~") != "", pattern)
			assert.Contains(t, []string{"npm", "pypi", "go", "cargo", "maven", "nuget", "gem", "composer", "file", "image", "action", "runtime", "source"}, ecosystem, line)
			assert.False(t, ecosystem == "file" && strings.Contains(name, "*"), line)
		}
	}
	assert.Greater(t, len(seen), 400)
}

// What says most of a project comes first, wherever few have room.
func TestASummaryBeginsWithWhatSaysMost(t *testing.T) {
	var names []string
	for _, one := range Summary([]Technology{
		{Name: "clsx", Category: "utility"}, {Name: "eslint", Category: "lint"}, {Name: "hono", Category: "framework"},
		{Name: "jest", Category: "test"}, {Name: "next", Category: "framework"}, {Name: "postgresql", Category: "database"},
	}) {
		names = append(names, one.Name)
	}
	assert.Equal(t, []string{"hono", "next", "postgresql", "jest", "eslint", "clsx"}, names)
	assert.True(t, Technology{Category: "database"}.Main())
	assert.False(t, Technology{Category: "lint"}.Main())
}

func TestModulesOfAnyMajorVersion(t *testing.T) {
	for _, name := range []string{"github.com/labstack/echo", "github.com/labstack/echo/v4", "github.com/labstack/echo/v12"} {
		found := table().packages("go", name)
		require.Len(t, found, 1, name)
		assert.Equal(t, "echo", found[0].row.name)
	}
	assert.Empty(t, table().packages("go", "github.com/labstack/echo/vnext"))
}

func TestAnExactNameIsNotCountedTwice(t *testing.T) {
	found := table().packages("maven", "org.springframework.boot:spring-boot-starter-parent")
	require.Len(t, found, 1)
	assert.False(t, found[0].apart)
}
