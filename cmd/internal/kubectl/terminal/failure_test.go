package terminal

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/apierrors"
)

func TestReport(t *testing.T) {
	key := resources.Key{Kind: resources.Tasks, Name: "foo"}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	for _, tt := range []struct {
		name string
		ctx  context.Context
		err  error
		text string
		code int
	}{
		{"nothing", t.Context(), nil, "", 0},
		{"any error", t.Context(), errors.New("disk full"), "error: disk full\n", 1},
		{"not found", t.Context(), apierrors.NotFound(key), `Error (NotFound): tasks.idumb.dev "foo" not found` + "\n", 1},
		{"not found, with a hint", t.Context(), fmt.Errorf("%w\nDid you mean x?", apierrors.NotFound(key)), `Error (NotFound): tasks.idumb.dev "foo" not found` + "\nDid you mean x?\n", 1},
		{"exists", t.Context(), apierrors.AlreadyExists(key), `Error (AlreadyExists): tasks.idumb.dev "foo" already exists` + "\n", 1},
		{"conflict", t.Context(), apierrors.Conflict(key), `Error (Conflict): Operation cannot be fulfilled on tasks.idumb.dev "foo": the object has been modified; please apply your changes to the latest version and try again` + "\n", 1},
		{"without a reason", t.Context(), &apierrors.Status{Message: `The Task "foo" is invalid: x`}, `The Task "foo" is invalid: x` + "\n", 1},
		{"several", t.Context(), errors.Join(errors.New("a"), apierrors.NotFound(key)), "error: a\n" + `Error (NotFound): tasks.idumb.dev "foo" not found` + "\n", 1},
		{"an exit code alone", t.Context(), Exit(3), "", 3},
		{"an exit code, wrapped", t.Context(), fmt.Errorf("x: %w", Exit(2)), "", 2},
		{"interrupted", cancelled, fmt.Errorf("watch: %w", context.Canceled), "", Interrupted},
		{"an error while interrupted", cancelled, errors.New("disk full"), "error: disk full\n", 1},
		{"data in errors is escaped", t.Context(), errors.New("no \x1b[31mfile"), `error: no \x1b[31mfile` + "\n", 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var b strings.Builder
			assert.Equal(t, tt.code, ReportError(tt.ctx, &b, tt.err))
			assert.Equal(t, tt.text, b.String())
		})
	}
	assert.True(t, apierrors.IsNotFound(fmt.Errorf("x: %w", apierrors.NotFound(key))))
	assert.False(t, apierrors.IsNotFound(apierrors.Conflict(key)))
}
