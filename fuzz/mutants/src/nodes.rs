//! Places of a file where mutants can be switched on: found in its syntax tree by the place of the mutant's token.

use std::collections::HashMap;
use std::ops::Range;

use proc_macro2::{LineColumn, Span};
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{BinOp, Expr};

use crate::mutant::{Genre, Mutant, Place};

/// Form of the text that takes a node's place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Form {
    /// Values returned before a body begins; whether the function may run at compile time.
    Body(bool),
    /// `&&` (true) or `||` between two operands.
    Logic(bool, Range<usize>, Range<usize>),
    /// A comparison, which borrows its operands.
    Compare(&'static str, Range<usize>, Range<usize>),
    /// An operator that takes its operands.
    Compute(&'static str, Range<usize>, Range<usize>),
    /// An operator that changes its left operand.
    Assign(&'static str, Range<usize>, Range<usize>),
    /// `!` or `-` before an operand.
    Unary(&'static str, Range<usize>),
    /// The guard of an arm, if there is one.
    Arm(Option<Range<usize>>),
    /// A field's name, its value, and the struct it may be taken from.
    Field(String, Range<usize>, Range<usize>),
    /// The value of a table that the compiler computes: its name and type. It is computed once more at run time, where
    /// mutants can be switched on.
    Table(String, Range<usize>),
    /// A use of such a table.
    Use(String),
}

/// Part of a file with the mutants that change it.
#[derive(Clone, Debug)]
pub struct Node {
    /// Bytes that are replaced.
    pub range: Range<usize>,
    /// Text that replaces them.
    pub form: Form,
    /// Numbers of the mutants.
    pub mutants: Vec<usize>,
    /// Whether it may be evaluated by the compiler, where no mutant can be switched on.
    pub constant: bool,
    /// Whether it is part of a table, of which the compiler may make use as well.
    pub tabled: bool,
}

/// Finds nodes of a file.
struct Finder<'m> {
    all: &'m [Mutant],
    /// Mutants of this file that no node has yet, by the place where they begin.
    open: HashMap<Place, Vec<usize>>,
    nodes: Vec<Node>,
    /// Whether what is visited may run at compile time.
    constant: bool,
    /// Whether it is part of a table that is computed at run time.
    tabled: bool,
    /// Tables of the file with the numbers that stand for them.
    tables: HashMap<String, usize>,
}

fn place(at: LineColumn) -> Place {
    Place { line: at.line, column: at.column + 1 }
}

/// Nodes of a file's text for mutants with the given numbers, in the order of the file, outer ones before inner ones;
/// mutants that have none are missing. Tables are numbered from `next_table` on, behind all mutants.
pub fn find(
    text: &str,
    all: &[Mutant],
    numbers: &[usize],
    next_table: &mut usize,
) -> Result<Vec<Node>, syn::Error> {
    let mut open: HashMap<Place, Vec<usize>> = HashMap::new();
    for &number in numbers {
        open.entry(all[number].start).or_default().push(number);
    }
    let file = syn::parse_file(text)?;
    let mut tables = HashMap::new();
    for item in &file.items {
        let (name, value, attributes) = match item {
            syn::Item::Const(item) => (&item.ident, &*item.expr, &item.attrs),
            syn::Item::Static(item) => (&item.ident, &*item.expr, &item.attrs),
            _ => continue,
        };
        if name != "_" && is_computed(value) && !attributes.iter().any(|one| one.path().is_ident("cfg")) {
            tables.insert(name.to_string(), *next_table);
            *next_table += 1;
        }
    }
    let mut finder = Finder { all, open, nodes: Vec::new(), constant: false, tabled: false, tables };
    finder.visit_file(&file);
    let mut nodes = finder.nodes;
    nodes.sort_by_key(|node| (node.range.start, !node.range.is_empty(), usize::MAX - node.range.end));
    Ok(nodes)
}

impl Finder<'_> {
    /// Takes the mutants of some genres that begin where a span does.
    fn take(&mut self, span: Span, genres: &[Genre]) -> Vec<usize> {
        let Some(open) = self.open.get_mut(&place(span.start())) else { return Vec::new() };
        let all = self.all;
        let (taken, left) = open.iter().partition(|&&number| genres.contains(&all[number].genre));
        *open = left;
        taken
    }

    fn push(&mut self, range: Range<usize>, form: Form, mutants: Vec<usize>) {
        if !mutants.is_empty() {
            let (constant, tabled) = (self.constant, self.tabled);
            self.nodes.push(Node { range, form, mutants, constant, tabled });
        }
    }

    /// Visits a function with the body given.
    fn function(&mut self, constant: bool, block: &syn::Block, visit: impl FnOnce(&mut Self)) {
        let outer = std::mem::replace(&mut self.constant, constant);
        if let Some(first) = block.stmts.first() {
            let start = block.brace_token.span.open().byte_range().end;
            let mutants = self.take(first.span(), &[Genre::FnValue]);
            self.push(start..start, Form::Body(constant), mutants);
        }
        visit(self);
        self.constant = outer;
    }

    /// Visits the value of a table, which is computed at run time as well if it is worth it.
    fn table(&mut self, name: &syn::Ident, kind: &syn::Type, value: &Expr) {
        match self.tables.get(&name.to_string()) {
            Some(&number) => {
                let form = Form::Table(name.to_string(), kind.span().byte_range());
                self.push(value.span().byte_range(), form, vec![number]);
                self.tabled = true;
                self.visit_expr(value);
                self.tabled = false;
            }
            None => self.evaluated(|finder| finder.visit_expr(value)),
        }
    }

    /// Visits an expression that the compiler evaluates.
    fn evaluated(&mut self, visit: impl FnOnce(&mut Self)) {
        let outer = std::mem::replace(&mut self.constant, true);
        visit(self);
        self.constant = outer;
    }
}

impl<'ast> Visit<'ast> for Finder<'_> {
    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        self.function(item.sig.constness.is_some(), &item.block, |finder| visit::visit_item_fn(finder, item));
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        self.function(item.sig.constness.is_some(), &item.block, |finder| {
            visit::visit_impl_item_fn(finder, item)
        });
    }

    fn visit_trait_item_fn(&mut self, item: &'ast syn::TraitItemFn) {
        if let Some(block) = &item.default {
            let constant = item.sig.constness.is_some();
            self.function(constant, block, |finder| visit::visit_trait_item_fn(finder, item));
        }
    }

    fn visit_item_const(&mut self, item: &'ast syn::ItemConst) {
        self.table(&item.ident, &item.ty, &item.expr);
    }

    fn visit_item_static(&mut self, item: &'ast syn::ItemStatic) {
        self.table(&item.ident, &item.ty, &item.expr);
    }

    fn visit_expr_path(&mut self, expr: &'ast syn::ExprPath) {
        if let Some(name) = expr.path.get_ident().map(ToString::to_string)
            && let Some(&number) = self.tables.get(&name)
        {
            self.push(expr.span().byte_range(), Form::Use(name), vec![number]);
        }
    }

    fn visit_expr_repeat(&mut self, expr: &'ast syn::ExprRepeat) {
        // A length is known to the compiler alone.
        self.visit_expr(&expr.expr);
    }

    fn visit_type(&mut self, _: &'ast syn::Type) {}

    fn visit_generic_argument(&mut self, _: &'ast syn::GenericArgument) {}

    fn visit_pat(&mut self, _: &'ast syn::Pat) {}

    fn visit_impl_item_const(&mut self, item: &'ast syn::ImplItemConst) {
        self.evaluated(|finder| visit::visit_impl_item_const(finder, item));
    }

    fn visit_trait_item_const(&mut self, item: &'ast syn::TraitItemConst) {
        self.evaluated(|finder| visit::visit_trait_item_const(finder, item));
    }

    fn visit_expr_binary(&mut self, expr: &'ast syn::ExprBinary) {
        let mutants = self.take(expr.op.span(), &[Genre::Binary]);
        let range = expr.span().byte_range();
        let (left, right) = (expr.left.span().byte_range(), expr.right.span().byte_range());
        let form = match expr.op {
            // A chain with `let` cannot be taken apart, nor can its `&&` become `||`.
            BinOp::And(_) | BinOp::Or(_) if has_let(&expr.left) || has_let(&expr.right) => None,
            BinOp::And(_) => Some(Form::Logic(true, left, right)),
            BinOp::Or(_) => Some(Form::Logic(false, left, right)),
            op => operator(op).map(|(sign, kind)| match kind {
                Kind::Compare => Form::Compare(sign, left, right),
                Kind::Compute => Form::Compute(sign, left, right),
                Kind::Assign => Form::Assign(sign, left, right),
            }),
        };
        if let Some(form) = form {
            self.push(range, form, mutants);
        }
        visit::visit_expr_binary(self, expr);
    }

    fn visit_expr_unary(&mut self, expr: &'ast syn::ExprUnary) {
        let sign = match expr.op {
            syn::UnOp::Not(_) => "!",
            syn::UnOp::Neg(_) => "-",
            _ => "",
        };
        if !sign.is_empty() {
            let mutants = self.take(expr.op.span(), &[Genre::Unary]);
            self.push(expr.span().byte_range(), Form::Unary(sign, expr.expr.span().byte_range()), mutants);
        }
        visit::visit_expr_unary(self, expr);
    }

    fn visit_arm(&mut self, arm: &'ast syn::Arm) {
        let mut mutants = self.take(arm.span(), &[Genre::Arm]);
        if mutants.is_empty() {
            mutants = self.take(arm.pat.span(), &[Genre::Arm]);
        }
        let (range, guard) = match &arm.guard {
            Some((_, guard)) => {
                mutants.extend(self.take(guard.span(), &[Genre::Guard]));
                (guard.span().byte_range(), Some(guard.span().byte_range()))
            }
            None => {
                let end = arm.pat.span().byte_range().end;
                (end..end, None)
            }
        };
        self.push(range, Form::Arm(guard), mutants);
        visit::visit_arm(self, arm);
    }

    fn visit_expr_struct(&mut self, expr: &'ast syn::ExprStruct) {
        if let Some(base) = &expr.rest {
            for field in &expr.fields {
                let mutants = self.take(field.span(), &[Genre::Field]);
                let syn::Member::Named(name) = &field.member else { continue };
                let form =
                    Form::Field(name.to_string(), field.expr.span().byte_range(), base.span().byte_range());
                self.push(field.span().byte_range(), form, mutants);
            }
        }
        visit::visit_expr_struct(self, expr);
    }
}

/// Whether a value is more than a literal.
fn is_computed(value: &Expr) -> bool {
    struct Search(bool);
    impl<'ast> Visit<'ast> for Search {
        fn visit_expr(&mut self, expr: &'ast Expr) {
            self.0 |= matches!(expr, Expr::Call(_) | Expr::MethodCall(_) | Expr::Binary(_) | Expr::Block(_));
            visit::visit_expr(self, expr);
        }
    }
    let mut search = Search(false);
    search.visit_expr(value);
    search.0
}

/// Whether an expression is a chain with a `let`.
fn has_let(expr: &Expr) -> bool {
    match expr {
        Expr::Let(_) => true,
        Expr::Binary(binary) if matches!(binary.op, BinOp::And(_)) => {
            has_let(&binary.left) || has_let(&binary.right)
        }
        _ => false,
    }
}

/// Use that an operator makes of its operands.
enum Kind {
    Compare,
    Compute,
    Assign,
}

fn operator(op: BinOp) -> Option<(&'static str, Kind)> {
    use Kind::{Assign, Compare, Compute};
    Some(match op {
        BinOp::Eq(_) => ("==", Compare),
        BinOp::Ne(_) => ("!=", Compare),
        BinOp::Lt(_) => ("<", Compare),
        BinOp::Le(_) => ("<=", Compare),
        BinOp::Gt(_) => (">", Compare),
        BinOp::Ge(_) => (">=", Compare),
        BinOp::Add(_) => ("+", Compute),
        BinOp::Sub(_) => ("-", Compute),
        BinOp::Mul(_) => ("*", Compute),
        BinOp::Div(_) => ("/", Compute),
        BinOp::Rem(_) => ("%", Compute),
        BinOp::BitAnd(_) => ("&", Compute),
        BinOp::BitOr(_) => ("|", Compute),
        BinOp::BitXor(_) => ("^", Compute),
        BinOp::Shl(_) => ("<<", Compute),
        BinOp::Shr(_) => (">>", Compute),
        BinOp::AddAssign(_) => ("+=", Assign),
        BinOp::SubAssign(_) => ("-=", Assign),
        BinOp::MulAssign(_) => ("*=", Assign),
        BinOp::DivAssign(_) => ("/=", Assign),
        BinOp::RemAssign(_) => ("%=", Assign),
        BinOp::BitAndAssign(_) => ("&=", Assign),
        BinOp::BitOrAssign(_) => ("|=", Assign),
        BinOp::BitXorAssign(_) => ("^=", Assign),
        BinOp::ShlAssign(_) => ("<<=", Assign),
        BinOp::ShrAssign(_) => (">>=", Assign),
        _ => return None,
    })
}
