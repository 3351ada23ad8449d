# Records the areas under curves that R packages give for the cases: Rscript record_curves.R
#
# ROCR, pROC, MLmetrics and caret are those of Debian 12; PRROC is 1.4, precrec 0.14.4, yardstick 1.1.0. The rows of a
# list are the observations, and a row is a case where its item has a grade above 0. Each list is one call.
suppressMessages(library(jsonlite))
suppressMessages(library(pROC))

area <- function(measure, ...) function(y, s) ROCR::performance(ROCR::prediction(s, y), measure, ...)@y.values[[1]]
roc_area <- function(..., direction = "<") function(y, s)
  as.numeric(auc(roc(response = y, predictor = s, levels = c(0, 1), direction = direction, quiet = TRUE), ...))
frame <- function(y, s) {
  obs <- factor(ifelse(y == 1, "yes", "no"), levels = c("yes", "no"))
  data.frame(obs = obs, pred = obs, yes = s, no = 1 - s)
}
summary_value <- function(f, name) function(y, s) unname(f(frame(y, s), lev = c("yes", "no"))[name])
pr_curve <- function(name) function(y, s) PRROC::pr.curve(scores.class0 = s, weights.class0 = y)[[name]]
precrec_area <- function(type) function(y, s) {
  areas <- precrec::auc(precrec::evalmod(scores = s, labels = y))
  areas$aucs[areas$curvetypes == type]
}
yardstick_area <- function(f) function(y, s) f(frame(y, s)$obs, s)

systems <- list(
  rocr = list(
    list("auc", "performance(p, 'auc')", area("auc")),
    list("auc_fpr_stop", "performance(p, 'auc', fpr.stop=0.25)", area("auc", fpr.stop = 0.25)),
    list("aucpr", "performance(p, 'aucpr')", area("aucpr"))
  ),
  proc = list(
    list("auc", "auc(roc(y, s))", roc_area(direction = "auto")),
    list("auc_higher", "auc(roc(y, s, direction='<'))", roc_area()),
    list("auc_specificity", "auc(r, partial.auc=c(1, 0.75))", roc_area(partial.auc = c(1, 0.75))),
    list("auc_sensitivity", "auc(r, partial.auc=c(1, 0.75), partial.auc.focus='sens')",
         roc_area(partial.auc = c(1, 0.75), partial.auc.focus = "sens")),
    list("auc_specificity_corrected", "auc(r, partial.auc=c(1, 0.75), partial.auc.correct=TRUE)",
         roc_area(partial.auc = c(1, 0.75), partial.auc.correct = TRUE)),
    list("auc_sensitivity_corrected", "auc(r, partial.auc=c(1, 0.75), partial.auc.focus='sens', partial.auc.correct=TRUE)",
         roc_area(partial.auc = c(1, 0.75), partial.auc.focus = "sens", partial.auc.correct = TRUE))
  ),
  mlmetrics = list(
    list("auc", "AUC(s, y)", function(y, s) MLmetrics::AUC(s, y)),
    list("pr_auc", "PRAUC(s, y)", function(y, s) MLmetrics::PRAUC(s, y))
  ),
  caret = list(
    list("auc", "twoClassSummary(d)['ROC']", summary_value(caret::twoClassSummary, "ROC")),
    list("pr_auc", "prSummary(d)['AUC']", summary_value(caret::prSummary, "AUC"))
  ),
  prroc = list(
    list("pr_auc", "pr.curve(s, weights.class0=y)$auc.integral", pr_curve("auc.integral")),
    list("pr_auc_davis_goadrich", "pr.curve(s, weights.class0=y)$auc.davis.goadrich", pr_curve("auc.davis.goadrich")),
    list("auc", "roc.curve(s, weights.class0=y)$auc",
         function(y, s) PRROC::roc.curve(scores.class0 = s, weights.class0 = y)$auc)
  ),
  precrec = list(
    list("auc", "auc(evalmod(s, y)), ROC", precrec_area("ROC")),
    list("pr_auc", "auc(evalmod(s, y)), PRC", precrec_area("PRC"))
  ),
  yardstick = list(
    list("pr_auc", "pr_auc_vec(y, s)", yardstick_area(function(y, s) yardstick::pr_auc_vec(y, s))),
    list("roc_auc", "roc_auc_vec(y, s)", yardstick_area(function(y, s) yardstick::roc_auc_vec(y, s)))
  )
)

rounded <- function(value) if (is.na(value)) "nan" else signif(value, 12)

record <- function(case, metric) {
  values <- list()
  errors <- list()
  for (user in case$users) {
    grades <- vapply(user$ranking, function(item) as.numeric(user$labels[[item]] %||% 0), 0)
    value <- tryCatch(suppressWarnings(metric[[3]](as.numeric(grades > 0), as.numeric(unlist(user$scores)))),
                      error = function(e) NULL)
    if (is.null(value) || length(value) == 0) errors[[user$user]] <- "refused"
    values[user$user] <- list(if (is.null(value) || length(value) == 0) NULL else rounded(value))
  }
  numbers <- vapply(values, function(v) if (is.null(v) || v == "nan") NaN else as.numeric(v), 0)
  result <- list(case = case$name, metric = metric[[1]], call = metric[[2]], k = NULL, input = "retrieved",
                 mean = if (length(errors)) NULL else rounded(mean(numbers)), per_user = values)
  if (length(errors)) result$user_errors <- errors
  result
}
`%||%` <- function(a, b) if (is.null(a)) b else a

data <- file.path(Sys.getenv("ORACLES", "tests/oracles/data"))
cases <- fromJSON(file.path(data, "cases", "cases.json"), simplifyVector = FALSE)
for (name in intersect(names(systems), commandArgs(trailingOnly = TRUE))) {
  results <- unlist(lapply(cases, function(case) lapply(systems[[name]], function(metric) record(case, metric))),
                    recursive = FALSE)
  text <- toJSON(list(system = name, results = results), auto_unbox = TRUE, null = "null", digits = NA)
  writeLines(text, file.path(data, "oracles", paste0(name, ".json")))
}
