// Prints what nikic/PHP-Parser says of files, a line of JSON for each. Names of files come in on
// standard input, each ended by a NUL byte. A file that does not parse is left out.
use PhpParser\Node;
use PhpParser\Node\Stmt;

spl_autoload_register(function (string $class): void {
    require getenv('PHP_PARSER') . '/lib/' . strtr($class, '\\', '/') . '.php';
});

function add(array &$found, string $name, Node $node): void
{
    $found[] = ['name' => $name, 'from' => $node->getStartLine(), 'to' => $node->getEndLine()];
}

function members(array &$found, Stmt\ClassLike $class, string $owner): void
{
    foreach ($class->stmts as $member) {
        if ($member instanceof Stmt\ClassMethod) {
            add($found, $owner . $member->name, $member);
            foreach ($member->name->toLowerString() === '__construct' ? $member->params : [] as $param) {
                if ($param->isPromoted()) {
                    add($found, $owner . '$' . $param->var->name, $param);
                }
            }
        } elseif ($member instanceof Stmt\Property) {
            foreach ($member->props as $property) {
                add($found, $owner . '$' . $property->name, $member);
            }
        } elseif ($member instanceof Stmt\ClassConst) {
            foreach ($member->consts as $constant) {
                add($found, $owner . $constant->name, $member);
            }
        } elseif ($member instanceof Stmt\EnumCase) {
            add($found, $owner . $member->name, $member);
        }
    }
}

/** Those outside of functions and types, also where an if or a loop stands around them. */
function symbols(array &$found, array $nodes): void
{
    foreach ($nodes as $node) {
        if ($node instanceof Stmt\Function_) {
            add($found, $node->name, $node);
        } elseif ($node instanceof Stmt\ClassLike) {
            add($found, $node->name, $node);
            members($found, $node, $node->name . '.');
        } elseif ($node instanceof Stmt\Const_) {
            foreach ($node->consts as $constant) {
                add($found, $constant->name, $node);
            }
        } elseif ($node instanceof Stmt\Expression && ($node->expr instanceof Node\Expr\Assign || $node->expr instanceof Node\Expr\AssignRef)) {
            if ($node->expr->var instanceof Node\Expr\Variable && is_string($node->expr->var->name)) {
                add($found, '$' . $node->expr->var->name, $node);
            }
        } elseif ($node instanceof Stmt\Expression) {
            $call = $node->expr;
            while ($call instanceof Node\Expr\BinaryOp\BooleanOr || $call instanceof Node\Expr\BinaryOp\LogicalOr) {
                $call = $call->right;
            }
            if ($call instanceof Node\Expr\FuncCall && $call->name instanceof Node\Name && $call->name->toLowerString() === 'define' && $call->args && $call->args[0]->value instanceof Node\Scalar\String_) {
                add($found, $call->args[0]->value->value, $call);
            }
        } elseif ($node instanceof Stmt) {
            foreach (['stmts', 'elseifs', 'else', 'catches', 'finally', 'cases'] as $field) {
                $inner = $node->$field ?? [];
                symbols($found, is_array($inner) ? $inner : [$inner]);
            }
        }
    }
}

function imports(array $tree): array
{
    $found = [];
    $finder = new PhpParser\NodeFinder();
    foreach ($finder->findInstanceOf($tree, Stmt\Use_::class) as $use) {
        foreach ($use->uses as $item) {
            $found[] = $item->name->toString();
        }
    }
    foreach ($finder->findInstanceOf($tree, Stmt\GroupUse::class) as $use) {
        foreach ($use->uses as $item) {
            $found[] = $use->prefix->toString() . '\\' . $item->name->toString();
        }
    }
    foreach ($finder->findInstanceOf($tree, Node\Expr\Include_::class) as $include) {
        $path = $include->expr;
        $prefix = '';
        if ($path instanceof Node\Expr\BinaryOp\Concat && $path->left instanceof Node\Scalar\MagicConst\Dir) {
            [$prefix, $path] = ['.', $path->right];
        } elseif ($path instanceof Node\Expr\BinaryOp\Concat && $path->left instanceof Node\Expr\FuncCall
            && $path->left->name instanceof Node\Name && $path->left->name->toLowerString() === 'dirname'
            && count($path->left->args) === 1 && $path->left->args[0]->value instanceof Node\Scalar\MagicConst\File) {
            [$prefix, $path] = ['.', $path->right];
        }
        if ($path instanceof Node\Scalar\String_ && $path->value !== '') {
            $found[] = $prefix . $path->value;
        }
    }
    return array_values(array_unique($found));
}

$parser = (new PhpParser\ParserFactory())->createForNewestSupportedVersion();
foreach (explode("\0", stream_get_contents(STDIN)) as $file) {
    try {
        $tree = is_file($file) ? $parser->parse(file_get_contents($file)) : null;
    } catch (PhpParser\Error) {
        continue;
    }
    if ($tree !== null) {
        $found = [];
        symbols($found, $tree);
        echo json_encode(['path' => $file, 'symbols' => $found, 'imports' => imports($tree)], JSON_INVALID_UTF8_SUBSTITUTE | JSON_UNESCAPED_SLASHES), "\n";
    }
}
