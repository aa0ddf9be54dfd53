package inventory

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/idumb-dev/idumb/controller/store/layout"
)

// niceness is 20 less the system call's answer, by which it is never negative.
func niceness(t *testing.T) int {
	priority, err := unix.Getpriority(unix.PRIO_PROCESS, 0)
	require.NoError(t, err)
	return 20 - priority
}

func TestYield(t *testing.T) {
	before := niceness(t)
	within := make(chan int)
	go func() {
		yield()
		within <- niceness(t)
	}()
	assert.Equal(t, lowest, <-within)
	assert.Equal(t, before, niceness(t), "of that goroutine alone")
}

func TestBackground(t *testing.T) {
	dir := t.TempDir()
	git(t, dir, "init", "-q")
	for n := range fewFiles + 10 {
		write(t, dir, fmt.Sprintf("f%d.go", n), fmt.Sprintf("package a\n\nvar V%d int\n", n))
	}
	i := Background(layout.Root(dir))
	assert.Len(t, level(t, i), fewFiles+10)
	assert.Equal(t, "V70", i.Facts("f70.go").Symbols[0].Name)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := Background(layout.Root(dir)).Update(ctx)
	assert.Error(t, err)
}
