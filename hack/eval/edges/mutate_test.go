package edges

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What is renamed is told to who takes it, also through a barrel; where a file
// may have the name from elsewhere it is not.
func TestMutateExports(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"a.ts": "export function one() {}\nexport const two = 2\n", "index.ts": "export { one as uno } from './a'\nexport * from './a'\n", "b.ts": "import { uno, two } from './index'\n",
		"d.ts": "export * from 'elsewhere'\nexport const four = 4\n", "e.ts": "import { four } from './d'\n", "c.ts": "import { three } from './a'\n",
	} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	var out strings.Builder
	require.ErrorContains(t, mutateExports([]string{"-least", "1", dir}, &out), "less than 1 of the removed exports")
	assert.Contains(t, out.String(), " 4 exports renamed, reported at once 0.7500 (1 unknown); 2 files changed without harm, false alarms 0.00000 (0 of 4 names); 1 of 4 named imports lead to names that no scan finds")
	require.NoError(t, mutateExports([]string{"-least", ".7", dir}, &out))
	require.ErrorContains(t, mutateExports(nil, &out), "name folders")
}
